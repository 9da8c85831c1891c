package imp

import (
	"math"
	"slices"

	"skald/runtime/prim"
)

// Note [Arrays in registers]
//
// A private array of a thread lives in registers only if each of its indices is a constant when registers are allotted. Otherwise it is in
// memory, and a thread waits for what it has just stored there. Compilers of devices unroll some loops before, but not those whose bound is
// the counter of a loop around them, nor all with barriers. So loops are unrolled here that count to constants and index small private
// arrays, where all indices of an array become constants so:
//
//	for i < 3 {                      let i_1 = 0
//	  @row_0[i] = @xs_1[i]    ->     @row_0[0] = @xs_1[i_1]
//	}                                let i_2 = 1 ...
//
// Counters keep variables in all other places, as text in which one is a constant may be no text of a device's language: in a branch that
// is not taken it may divide by zero. The 32 elements of a row of rodinia/lud are computed from each other by such loops: 4,047 µs in all
// and 7,011 before (H200, CUDA; 6,149 and 7,486 through WebGPU). Loops that contain others that remain are left: those take the time.
//
// Drivers put functions in their callers' places, at each mention, and take time that grows faster than the code. So a call counts as many
// statements, and loops that call large device functions are left, or have as much code themselves: nine calls in poseidon's hashes took
// 140 ms unrolled, 112 in their loop, and a tenth longer to compile (H200, WebGPU, 2026-11-26). So are loops with arithmetic that the
// device lacks: that takes the time there. A row as above, but of f64, is 992 such
// operations in portable WGSL: no software driver compiled it within a minute, SwiftShader not even rows of seven, 42 of them, within 20 s.

const (
	mostRegisters  = 128  // words of private arrays that a kernel keeps in registers
	mostIterations = 64   // of a loop that is unrolled for that
	mostUnrolled   = 4096 // statements of unrolled loops in a kernel
	callLength     = 64   // statements that a call counts as
	mostCalled     = 64   // statements of a device function beyond which it is large
)

// Registers is p where loops are unrolled that keep private arrays of kernels out of registers. The device lacks
// arithmetic on numbers of some types.
func Registers(p *Prog, emulated func(prim.Type) bool) *Prog {
	return mapKernels(p, func(k *Kernel) {
		if !slices.ContainsFunc(k.Mems, func(m MemDecl) bool { return m.Space == Private && m.Count > 1 }) {
			return
		}
		a := newIndexing(k, emulated)
		words := 0
		for m, d := range k.Mems {
			size := d.Count * max(d.Elem.Size()/4, 1)
			if d.Space == Private && !a.open[m] && len(a.arrays[m]) > 0 && words+size <= mostRegisters && a.choose(a.arrays[m]) {
				words += size
			}
		}
		if len(a.chosen) > 0 {
			k.Body, k.Vars = a.unrolled()
		}
	})
}

// choose adds loops to those that are unrolled, and reports whether that can be: all are plain, and have no more statements then than a
// kernel may have in unrolled loops.
func (a *indexing) choose(loops []*For) bool {
	var more []*For
	for _, f := range loops {
		if !a.chosen[f] {
			more = append(more, f)
			a.chosen[f] = true
		}
	}
	for _, f := range more {
		if !a.plain(f) {
			return a.leave(more)
		}
	}
	n := 0
	for f := range a.chosen {
		if !a.chosen[a.around[f]] {
			n += a.iterations(f)
		}
	}
	return len(more) == 0 || n <= mostUnrolled || a.leave(more)
}

// leave leaves loops that were chosen, and returns false.
func (a *indexing) leave(loops []*For) bool {
	for _, f := range loops {
		delete(a.chosen, f)
	}
	return false
}

// plain reports whether a loop contains none that are not chosen, neither calls of device functions that are large nor as much code itself.
func (a *indexing) plain(f *For) bool {
	n := 0
	return !Any(f.Body, func(s Stm) bool {
		if n++; n > mostCalled {
			return true
		}
		switch s := MatchStm(s).(type) {
		case *For:
			return !a.chosen[s]
		case *While:
			return true
		case *Invoke:
			return a.called(s.DeviceFunction) > callLength+mostCalled
		default:
			return false
		}
	})
}

// iterations are how many statements a loop has that is unrolled with all loops in it; more than a kernel may have where it cannot be.
func (a *indexing) iterations(f *For) int {
	n, ok := a.counts[f]
	if !ok {
		c := counter{indexing: a, constants: constants{set: a.set, values: map[Var]prim.Value{}, outside: a.values}}
		c.loop(f)
		n = c.n
		a.counts[f] = n
	}
	return n
}

// counter counts the statements of loops that are unrolled.
type counter struct {
	*indexing
	constants constants
	n         int
}

func (c *counter) loop(f *For) {
	bound, ok := c.constants.value(f.Bound)
	if !ok || bound.Int() > mostIterations {
		c.n = mostUnrolled + 1
		return
	}
	for i := range bound.Int() {
		c.constants.values[f.Var] = prim.MakeI64(i)
		c.n++
		c.stms(f.Body)
	}
}

func (c *counter) stms(body []Stm) {
	for _, s := range body {
		if c.n > mostUnrolled {
			return
		}
		switch s := MatchStm(s).(type) {
		case *For:
			c.loop(s)
			continue
		case *Let:
			c.constants.bind(s)
		default:
		}
		c.n += c.length(s)
		for _, b := range Bodies(s) {
			c.stms(b)
		}
	}
}

// indexing is which loops' counters the values of a kernel depend on, and on nothing else.
type indexing struct {
	kernel   *Kernel
	emulated func(prim.Type) bool
	set      []bool   // by variable: it is set again
	known    []bool   // by variable: nothing but counters decides its value
	vars     [][]*For // by variable: the loops of these counters
	open     []bool   // by array: an index depends on something else
	arrays   [][]*For // by array: the loops of the counters that its indices depend on
	calls    map[*DeviceFunction]int
	around   map[*For]*For      // the loop that a loop is directly in
	values   map[Var]prim.Value // of integers that depend on no counter
	chosen   map[*For]bool      // to be unrolled
	counts   map[*For]int       // what iterations has returned
}

func newIndexing(k *Kernel, emulated func(prim.Type) bool) *indexing {
	a := &indexing{
		kernel: k, emulated: emulated, set: make([]bool, len(k.Vars)), known: make([]bool, len(k.Vars)), vars: make([][]*For, len(k.Vars)),
		open: make([]bool, len(k.Mems)), arrays: make([][]*For, len(k.Mems)), calls: map[*DeviceFunction]int{},
		around: map[*For]*For{}, values: map[Var]prim.Value{}, chosen: map[*For]bool{}, counts: map[*For]int{},
	}
	for v := range setIn(k.Body) {
		a.set[v] = true
	}
	a.stms(k.Body, nil)
	return a
}

// stms notes what statements bind and access that are in a loop, or in none.
func (a *indexing) stms(body []Stm, in *For) {
	for _, s := range body {
		a.stm(s)
		inside := in
		if f, ok := s.(*For); ok {
			a.around[f], inside = in, f
		}
		for _, b := range Bodies(s) {
			a.stms(b, inside)
		}
	}
}

// stm notes what a statement itself binds and accesses.
func (a *indexing) stm(s Stm) {
	WalkExps(s, func(e Exp) {
		if l, ok := e.(*Load); ok {
			a.access(l.Mem, l.Index)
		}
	})
	switch s := MatchStm(s).(type) {
	case *Let:
		if !a.set[s.Var] {
			a.vars[s.Var], a.known[s.Var] = a.counters(s.Exp)
		}
		(&constants{set: a.set, values: a.values}).bind(s)
	case *For:
		bound, ok := a.counters(s.Bound)
		if c, isConst := s.Bound.(*Const); isConst {
			ok = c.Value.Int() <= mostIterations
		}
		if ok && !a.set[s.Var] {
			a.vars[s.Var], a.known[s.Var] = union(bound, []*For{s}), true
		}
	case *Store:
		a.access(s.Mem, s.Index)
	case *LoadVec:
		a.access(s.Mem, s.Index)
	case *StoreVec:
		a.access(s.Mem, s.Index)
	default:
	}
}

func (a *indexing) access(m Mem, index Exp) {
	if a.kernel.Mems[m].Space != Private || a.open[m] {
		return
	}
	loops, ok := a.counters(index)
	a.arrays[m], a.open[m] = union(a.arrays[m], loops), !ok
}

// counters lists the loops whose counters a value depends on; ok is false if it depends on more.
func (a *indexing) counters(e Exp) (loops []*For, ok bool) {
	switch e := Match(e).(type) {
	case *Const:
		return nil, e.Type.IsInt()
	case *VarExp:
		return a.vars[e.Var], a.known[e.Var]
	case *Conv:
		if e.From.IsInt() && e.To.IsInt() {
			return a.counters(e.X)
		}
	case *Bin:
		if !e.Type.IsInt() {
			return nil, false
		}
		x, ok := a.counters(e.X)
		if !ok {
			return nil, false
		}
		y, ok := a.counters(e.Y)
		return union(x, y), ok
	default:
	}
	return nil, false
}

// union is xs and what of ys is not in it; it changes neither.
func union(xs, ys []*For) []*For {
	out := xs[:len(xs):len(xs)]
	for _, y := range ys {
		if !slices.Contains(out, y) {
			out = append(out, y)
		}
	}
	return out
}

// length is how many statements a statement counts as, without the bodies in it but with what device functions compute.
func (a *indexing) length(s Stm) int {
	n := 1
	if s, ok := s.(*Invoke); ok {
		n += a.called(s.DeviceFunction)
	}
	WalkExps(s, func(e Exp) {
		if a.lacks(e) {
			n += mostUnrolled
		} else if _, ok := e.(*CallFunc); ok {
			n += callLength
		}
	})
	return n
}

// called is how many statements a call of a function counts as.
func (a *indexing) called(f *DeviceFunction) int {
	n, ok := a.calls[f]
	if !ok {
		n = callLength
		Walk(f.Body, func(s Stm) bool {
			n += a.length(s)
			return true
		})
		n = min(n, mostUnrolled+1)
		a.calls[f] = n
	}
	return n
}

// lacks reports whether the device lacks an operation. It can convert integers.
func (a *indexing) lacks(e Exp) bool {
	emulated := func(t Type) bool { return t.IsPrim() && a.emulated(t.Prim()) }
	switch e := Match(e).(type) {
	case *CallFunc:
		return a.emulated(e.Type)
	case *Bin:
		return emulated(e.Type)
	case *Un:
		return emulated(e.Type)
	case *Cmp:
		return emulated(e.Type)
	case *Conv:
		return (emulated(e.From) || emulated(e.To)) && (!e.From.IsInt() || !e.To.IsInt())
	default:
		return false
	}
}

// constants are the values of integers, where they are known.
type constants struct {
	set     []bool // by variable: it is set again
	values  map[Var]prim.Value
	outside map[Var]prim.Value // of others
}

// bind notes the value of a variable that is not set again.
func (c *constants) bind(s *Let) {
	if v, ok := c.value(s.Exp); ok && !c.set[s.Var] {
		c.values[s.Var] = v
	} else {
		delete(c.values, s.Var)
	}
}

// value is that of an integer, where it is known.
func (c *constants) value(e Exp) (v prim.Value, ok bool) {
	switch e := Match(e).(type) {
	case *Const:
		return e.Value, e.Type.IsInt()
	case *VarExp:
		if v, ok = c.values[e.Var]; !ok {
			v, ok = c.outside[e.Var]
		}
		return v, ok
	case *Conv:
		if v, ok = c.value(e.X); !ok || !e.To.IsInt() {
			return v, false
		}
		v, ok = prim.Convert(e.To.Prim(), v), true
		return v, ok && (e.To != Idx || narrow(v))
	case *Bin:
		x, xok := c.value(e.X)
		if !xok {
			return v, false
		}
		y, yok := c.value(e.Y)
		if !yok {
			return v, false
		}
		v, err := prim.EvalBin(e.Op, x, y)
		return v, err == nil && (e.Type != Idx || narrow(v))
	default:
	}
	return v, false
}

// narrow reports whether an Idx has the same value in 32 and in 64 bits.
func narrow(v prim.Value) bool { return v.Int() >= math.MinInt32 && v.Int() <= math.MaxInt32 }

// unrolling copies a kernel with some loops unrolled.
type unrolling struct {
	old       *Kernel
	constants constants
	out       Kernel // has the variables of the copy
	loops     map[*For]bool
	to        map[Var]Var // the names in the iteration at hand of variables that it binds
	mapper    *Mapper
}

// unrolled is the body of the kernel with the chosen loops unrolled, and its variables then.
func (a *indexing) unrolled() (body []Stm, vars []VarDecl) {
	u := &unrolling{
		old: a.kernel, constants: constants{set: a.set, values: map[Var]prim.Value{}}, loops: a.chosen, to: map[Var]Var{},
	}
	u.mapper = renaming(u.to)
	u.mapper.Index, u.mapper.Body = u.index, u.stms
	u.out.Vars = slices.Clone(a.kernel.Vars)
	body = u.stms(a.kernel.Body)
	return body, u.out.Vars
}

// index is a constant where it is one of a private array. Outside of the array it is in code that does not run, and no text of a device's
// language.
func (u *unrolling) index(m Mem, e Exp) Exp {
	if d := u.old.Mems[m]; d.Space == Private {
		if v, ok := u.constants.value(e); ok && v.Int() >= 0 && v.Int() < int64(d.Count) {
			return &Const{Idx, prim.MakeI64(v.Int())}
		}
	}
	return u.mapper.exp(e)
}

func (u *unrolling) stms(body []Stm) []Stm {
	var out []Stm
	for _, s := range body {
		switch s := MatchStm(s).(type) {
		case *For:
			if u.loops[s] {
				out = append(out, u.iterations(s)...)
				continue
			}
		case *Let:
			u.constants.bind(s)
		default:
		}
		out = append(out, s.parts(*u.mapper))
	}
	return out
}

// iterations are those of a loop, each with variables of its own.
func (u *unrolling) iterations(f *For) []Stm {
	n, _ := u.constants.value(f.Bound) // Those of chosen loops are known.
	own := u.binds(f)
	var out []Stm
	for i := range n.Int() {
		for _, v := range own {
			u.to[v] = u.out.Fresh(u.old.Vars[v].Name, u.old.Vars[v].Type)
		}
		u.constants.values[f.Var] = prim.MakeI64(i)
		out = append(out, &Let{u.to[f.Var], &Const{Idx, prim.MakeI64(i)}})
		out = append(out, u.stms(f.Body)...)
	}
	return out
}

// binds lists the variables of an iteration; those of unrolled loops in it are these loops' affair.
func (u *unrolling) binds(f *For) []Var {
	own := []Var{f.Var}
	Walk(f.Body, func(s Stm) bool {
		if inner, ok := s.(*For); ok && u.loops[inner] {
			return false
		}
		for _, v := range Binds(s) {
			if v != 0 {
				own = append(own, v)
			}
		}
		return true
	})
	return own
}
