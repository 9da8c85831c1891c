package eval

import (
	"fmt"
	"math"
	"math/bits"
	"sync"

	"skald/middle/imp"
	"skald/runtime/prim"
)

// Host is what host code works with. Blocks are handles of the host's own
// choosing. A method that fails returns an error, which ends the run.
type Host interface {
	Alloc(elem prim.Type, count int64) (uint64, error)
	Copy(elem prim.Type, dst uint64, dstOff int64, src uint64, srcOff, count int64) error
	Fill(elem prim.Type, block uint64, off, count int64, value uint64) error
	// Data returns the block of a Data statement, which is made once.
	Data(d *imp.Data) (uint64, error)
	// Read reads elements of blocks, waiting once.
	Read(places []Place) ([]uint64, error)
	Write(elem prim.Type, block uint64, index int64, value uint64) error
	// Launch may keep none of the slices.
	Launch(l *imp.Launch, groups int64, args, blocks []uint64, room []int64, wide bool) error
	// Trace prints what is traced, once the device has computed it.
	Trace(s *imp.Trace, parts []Traced) error
	// Retain and Release count the variables that hold a block. A block comes
	// with one from Alloc and Data, and none may be used after its last.
	Retain(block uint64)
	Release(block uint64)
	// Const is constant number i of the program, Tune a tuning parameter.
	Const(i int) uint64
	Tune(i int) int64
	// Failure is where a failed assertion of host code is noted.
	Failure() *Failure
	// Ended says why the run has to end early, if it has to. Loops and calls ask.
	Ended() error
}

// Watcher is a Host that wants to know what tuning parameters are compared with.
type Watcher interface {
	Compared(tune int, with int64)
}

// Mapper is a Host that may have memory of its own that launches can write: AllocMapped is Alloc for a block that they write, and that
// only host code reads.
type Mapper interface {
	AllocMapped(elem prim.Type, count int64) (uint64, error)
}

// Place is an element of a block.
type Place struct {
	Elem  prim.Type
	Block uint64
	Index int64
}

// Traced is a part of what is traced: a scalar, whose word Word is, or an array with a shape, whose block it is.
type Traced struct {
	Word  uint64
	Shape []int
}

// Prog is compiled host code. It may be run from several goroutines at once,
// each with a Host of its own.
type Prog struct {
	funs map[string]*fun
}

type fun struct {
	compile func() // once, before the first call: a run calls few of a program's functions
	err     error  // of reading the declaration
	decl    *imp.Fun
	body    stm
	results []exp
	early   int       // how many read-backs may begin early
	windows int       // how many read-backs are done for several rounds of loops
	blocks  []imp.Var // classes of variables, if they are known: Note [Early reads]
}

// CompileHost prepares host functions, each of which is read and compiled when it is called.
func CompileHost(names []string, read func(name string) (*imp.Fun, error)) *Prog {
	out := &Prog{funs: map[string]*fun{}}
	for _, name := range names {
		cf := &fun{}
		cf.compile = sync.OnceFunc(func() {
			if cf.decl, cf.err = read(name); cf.err != nil {
				return
			}
			c := &compiler{name: name, scope: cf.decl.Scope(), prog: out, ending: &ending{fun: cf, quiet: true}}
			cf.body, cf.results = c.seq(cf.decl.Body).one, c.exps(cf.decl.Results)
		})
		out.funs[name] = cf
	}
	return out
}

// hostError carries a Host's error out of the closures.
type hostError struct{ error }

// Run calls a function. It stops early, with nil results, when an assertion
// of host code fails: the Host's Failure then says which. Blocks that are given, of the
// arguments, are released once the function's parameters hold them.
func (p *Prog) Run(h Host, name string, args []uint64, given ...uint64) (results []uint64, err error) {
	f := p.funs[name]
	if f == nil {
		return nil, fmt.Errorf("call of %s, which does not exist", name)
	}
	if f.compile(); f.err != nil {
		return nil, f.err
	}
	if len(args) != len(f.decl.Params) {
		return nil, fmt.Errorf("call of %s with %d arguments", name, len(args))
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case hostError:
			results, err = nil, r.error
		case fault:
			results, err = nil, r
		default:
			panic(r)
		}
	}()
	results, _ = f.run(h, args, 0, given...)
	return results, nil
}

// maxCalls bounds how many calls are nested: Go ends a process whose stack outgrows a gigabyte, of which each
// call then has ten thousand bytes.
const maxCalls = 100_000

// run runs f inside of so many calls. It reports whether no assertion failed.
func (f *fun) run(h Host, args []uint64, calls int, given ...uint64) ([]uint64, bool) {
	f.compile()
	must(f.err)
	t := &thread{
		regs: make([]uint64, max(len(f.decl.Vars), 1)), host: h, calls: calls,
		begun: make([]bool, f.early), windows: make([]window, f.windows),
	}
	defer t.dropAll(f.decl) // also when an error of the host breaks the run off
	isBlock := func(v imp.Var) bool { return f.decl.Vars[v].Type == imp.Block }
	for i, v := range f.decl.Params {
		t.regs[v] = args[i]
		if isBlock(v) && args[i] != 0 {
			h.Retain(args[i])
		}
	}
	for _, b := range given {
		h.Release(b)
	}
	ok := must(h.Ended()) && f.body(t)
	var out []uint64
	if ok {
		out = values(t, f.results)
		for i, e := range f.decl.Results {
			if f.decl.Scope().TypeOf(e) == imp.Block {
				h.Retain(out[i])
			}
		}
	}
	return out, ok
}

func values(t *thread, es []exp) []uint64 {
	out := make([]uint64, len(es))
	for i, e := range es {
		out[i] = e(t)
	}
	return out
}

func must(err error) bool {
	if err != nil {
		panic(hostError{err})
	}
	return true
}

// overflowed is a number of elements that is more than an i64.
const overflowed = math.MinInt64

// elements compiles a number of elements. It is overflowed if a product of sizes in it is not an i64. Sizes may be negative where the check
// that refuses them comes later: then products wrap around, as those do that say how much of the block is filled before, and what is
// negative in the end is none.
func (c *compiler) elements(e imp.Exp) exp {
	if b, ok := e.(*imp.Bin); !ok || b.Op != prim.Mul || b.Type != imp.I64 {
		return c.exp(e)
	}
	n := c.factors(e)
	return func(t *thread) uint64 {
		if count := int64(n(t)); count >= 0 || count == overflowed {
			return uint64(count)
		}
		return 0
	}
}

// factors compiles a product, or what is a factor of one.
func (c *compiler) factors(e imp.Exp) exp {
	b, ok := e.(*imp.Bin)
	if !ok || b.Op != prim.Mul || b.Type != imp.I64 {
		return c.exp(e)
	}
	x, y := c.factors(b.X), c.factors(b.Y)
	return func(t *thread) uint64 { return uint64(product(int64(x(t)), int64(y(t)))) }
}

// product multiplies two numbers of elements.
func product(x, y int64) int64 {
	switch {
	case x == 0 || y == 0:
		return 0
	case x == overflowed || y == overflowed:
		return overflowed
	case x < 0 || y < 0:
		return x * y
	}
	if high, low := bits.Mul64(uint64(x), uint64(y)); high == 0 && int64(low) >= 0 {
		return int64(low)
	}
	return overflowed
}

// host compiles a statement of host code.
func (c *compiler) host(s imp.HostStm) stm {
	switch s := s.(type) {
	case *imp.Alloc:
		count := c.elements(s.Count)
		return func(t *thread) bool {
			alloc := t.host.Alloc
			if m, ok := t.host.(Mapper); ok && s.Mapped {
				alloc = m.AllocMapped
			}
			b, err := alloc(s.Elem, int64(count(t)))
			t.hold(s.Var, b)
			return must(err)
		}
	case *imp.Free:
		return func(t *thread) bool {
			t.drop(s.Var)
			return true
		}
	case *imp.Copy:
		do, so, n := c.exp(s.DstOff), c.exp(s.SrcOff), c.exp(s.Count)
		return func(t *thread) bool {
			return must(t.host.Copy(s.Elem, t.regs[s.Dst], int64(do(t)), t.regs[s.Src], int64(so(t)), int64(n(t))))
		}
	case *imp.Fill:
		off, n, v := c.exp(s.Off), c.exp(s.Count), c.exp(s.Value)
		return func(t *thread) bool {
			return must(t.host.Fill(s.Elem, t.regs[s.Block], int64(off(t)), int64(n(t)), v(t)))
		}
	case *imp.Data:
		return func(t *thread) bool {
			b, err := t.host.Data(s)
			t.hold(s.Var, b)
			return must(err)
		}
	case *imp.ReadScalar:
		return c.reads([]*imp.ReadScalar{s}, nil)
	case *imp.WriteScalar:
		index, value := c.exp(s.Index), c.exp(s.Value)
		return func(t *thread) bool {
			return must(t.host.Write(s.Elem, t.regs[s.Block], int64(index(t)), value(t)))
		}
	case *imp.Launch:
		return c.launch(s)
	case *imp.GetConst:
		isBlock := c.scope.Vars[s.Var].Type == imp.Block
		return func(t *thread) bool {
			v := t.host.Const(s.Index)
			if isBlock {
				t.host.Retain(v)
				t.drop(s.Var)
			}
			t.regs[s.Var] = v
			return true
		}
	case *imp.GetTune:
		if c.tunes == nil {
			c.tunes = map[imp.Var]int{}
		}
		c.tunes[s.Var] = s.Index
		return func(t *thread) bool {
			t.regs[s.Var] = uint64(t.host.Tune(s.Index))
			return true
		}
	case *imp.Call:
		return c.callFun(s)
	case *imp.Trace:
		return c.trace(s)
	}
	panic(unknownNode)
}

// fitLimit bounds what 32-bit index arithmetic may be asked to address: sums
// of two such numbers still fit.
const fitLimit = 1 << 30

func (c *compiler) launch(s *imp.Launch) stm {
	groups, args, room, fits := c.exp(s.Groups), c.exps(s.Args), c.exps(s.Room), c.exps(s.Fits)
	return func(t *thread) bool {
		n := int64(groups(t))
		if n <= 0 {
			return true
		}
		wide := false
		for _, f := range fits {
			wide = wide || int64(f(t)) >= fitLimit
		}
		t.args, t.blocks = t.args[:0], t.blocks[:0]
		for _, e := range args {
			t.args = append(t.args, e(t))
		}
		for _, b := range s.Blocks {
			t.blocks = append(t.blocks, t.regs[b])
		}
		t.room = t.room[:0]
		for _, e := range room {
			t.room = append(t.room, int64(e(t)))
		}
		return must(t.host.Launch(s, n, t.args, t.blocks, t.room, wide))
	}
}

func (c *compiler) callFun(s *imp.Call) stm {
	f, args := c.prog.funs[s.Fun], c.exps(s.Args)
	return func(t *thread) bool {
		if t.calls == maxCalls {
			t.fail().Set(int32(s.Site), []uint64{maxCalls})
			return false
		}
		results, ok := f.run(t.host, values(t, args), t.calls+1)
		for i, v := range s.Dst {
			switch {
			case !ok:
			case c.scope.Vars[v].Type == imp.Block:
				t.hold(v, results[i])
			default:
				t.regs[v] = results[i]
			}
		}
		return ok
	}
}

func (c *compiler) trace(s *imp.Trace) stm {
	xs := make([][]exp, len(s.Parts))
	for i, p := range s.Parts {
		xs[i] = c.exps(p.X)
	}
	return func(t *thread) bool {
		parts := make([]Traced, len(xs))
		for i, p := range s.Parts {
			words := values(t, xs[i])
			if p.Block == 0 {
				parts[i].Word = words[0]
				continue
			}
			parts[i].Word = t.regs[p.Block]
			for _, n := range words {
				parts[i].Shape = append(parts[i].Shape, int(n))
			}
		}
		must(t.host.Trace(s, parts))
		return !t.host.Failure().Failed()
	}
}

// hostSeq compiles a body of host code.
func (c *compiler) hostSeq(body []imp.Stm) stm {
	var out []stm
	quiet := quietEnd(body)
	begins := c.earlyReads(body, quiet)
	for i := 0; i < len(body); {
		for _, e := range begins.begin[i] {
			out = append(out, c.begin(e))
		}
		reads, later, n := imp.ReadRun(body[i:])
		if len(reads) == 0 {
			later, n = body[i:i+1], 1
		}
		c.ending.within(body, i, i+n, quiet, func() {
			switch {
			case len(reads) == 0:
			case c.forRounds(reads):
				out = append(out, c.readForRounds(reads))
			default:
				out = append(out, c.reads(reads, begins.of[i]))
			}
			for _, s := range later {
				if f := c.stm(s); f.one != nil {
					out = append(out, f.one)
				}
			}
		})
		i += n
	}
	return all(out)
}
