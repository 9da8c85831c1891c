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
		chosen, words := map[*For]bool{}, 0
		body, vars := k.Body, k.Vars
		for m, d := range k.Mems {
			size := d.Count * max(d.Elem.Size()/4, 1)
			if d.Space != Private || a.open[m] || len(a.arrays[m]) == 0 || words+size > mostRegisters {
				continue
			}
			more := map[*For]bool{}
			for _, f := range a.arrays[m] {
				more[f] = true
			}
			for f := range chosen {
				more[f] = true
			}
			if len(more) > len(chosen) {
				if !a.plain(more) {
					continue
				}
				next, nextVars, ok := a.unrolled(more)
				if !ok {
					continue
				}
				body, vars = next, nextVars
			}
			chosen, words = more, words+size
		}
		k.Body, k.Vars = body, vars
	})
}

// plain reports whether loops contain no others, neither calls of device functions that are large nor as much code themselves.
func (a *indexing) plain(loops map[*For]bool) bool {
	for f := range loops {
		n := 0
		if Any(f.Body, func(s Stm) bool {
			if n++; n > mostCalled {
				return true
			}
			switch s := MatchStm(s).(type) {
			case *For:
				return !loops[s]
			case *While:
				return true
			case *Invoke:
				return a.called(s.DeviceFunction) > callLength+mostCalled
			default:
				return false
			}
		}) {
			return false
		}
	}
	return true
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
}

func newIndexing(k *Kernel, emulated func(prim.Type) bool) *indexing {
	a := &indexing{
		kernel: k, emulated: emulated, set: make([]bool, len(k.Vars)), known: make([]bool, len(k.Vars)), vars: make([][]*For, len(k.Vars)),
		open: make([]bool, len(k.Mems)), arrays: make([][]*For, len(k.Mems)), calls: map[*DeviceFunction]int{},
	}
	for v := range setIn(k.Body) {
		a.set[v] = true
	}
	Walk(k.Body, func(s Stm) bool {
		a.stm(s)
		return true
	})
	return a
}

// stm notes what a statement itself binds and accesses.
func (a *indexing) stm(s Stm) {
	for _, e := range Exps(s) {
		WalkExp(e, func(e Exp) {
			if l, ok := e.(*Load); ok {
				a.access(l.Mem, l.Index)
			}
		})
	}
	switch s := MatchStm(s).(type) {
	case *Let:
		if !a.set[s.Var] {
			a.vars[s.Var], a.known[s.Var] = a.counters(s.Exp)
		}
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
		x, xok := a.counters(e.X)
		y, yok := a.counters(e.Y)
		return union(x, y), xok && yok
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
	for _, e := range Exps(s) {
		WalkExp(e, func(e Exp) {
			if a.lacks(e) {
				n += mostUnrolled
			} else if _, ok := e.(*CallFunc); ok {
				n += callLength
			}
		})
	}
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

// unrolling copies a kernel with some loops unrolled.
type unrolling struct {
	old    *Kernel
	length func(Stm) int
	set    []bool // by variable: it is set again
	out    Kernel // has the variables of the copy
	loops  map[*For]bool
	to     map[Var]Var        // the names in the iteration at hand of variables that it binds
	values map[Var]prim.Value // of integers, where they are known
	left   int                // statements that unrolled loops may still have
	within int                // unrolled loops that what is copied is in
	failed bool
	mapper *Mapper
}

// unrolled is the body of the kernel with some loops unrolled, and its variables then; ok is false if that is too much.
func (a *indexing) unrolled(loops map[*For]bool) (body []Stm, vars []VarDecl, ok bool) {
	u := &unrolling{
		old: a.kernel, length: a.length, set: a.set, loops: loops, to: map[Var]Var{}, values: map[Var]prim.Value{}, left: mostUnrolled,
	}
	u.mapper = renaming(u.to)
	u.mapper.Index, u.mapper.Body = u.index, u.stms
	u.out.Vars = slices.Clone(a.kernel.Vars)
	body = u.stms(a.kernel.Body)
	return body, u.out.Vars, !u.failed
}

// index is a constant where it is one of a private array. Outside of the array it is in code that does not run, and no text of a device's
// language.
func (u *unrolling) index(m Mem, e Exp) Exp {
	if d := u.old.Mems[m]; d.Space == Private {
		if v, ok := u.value(e); ok && v.Int() >= 0 && v.Int() < int64(d.Count) {
			return &Const{Idx, prim.MakeI64(v.Int())}
		}
	}
	return u.mapper.exp(e)
}

func (u *unrolling) stms(body []Stm) []Stm {
	var out []Stm
	for _, s := range body {
		if u.failed {
			return nil
		}
		switch s := MatchStm(s).(type) {
		case *For:
			if u.loops[s] {
				out = append(out, u.iterations(s)...)
				continue
			}
		case *Let:
			u.bind(s)
		default:
		}
		if u.within > 0 {
			u.count(u.length(s))
		}
		out = append(out, s.parts(*u.mapper))
	}
	return out
}

// count notes that unrolled loops have n more statements.
func (u *unrolling) count(n int) {
	u.left -= n
	u.failed = u.failed || u.left < 0
}

// bind notes the value of a variable that is not set again.
func (u *unrolling) bind(s *Let) {
	if v, ok := u.value(s.Exp); ok && !u.set[s.Var] {
		u.values[s.Var] = v
	} else {
		delete(u.values, s.Var)
	}
}

// iterations are those of a loop, each with variables of its own.
func (u *unrolling) iterations(f *For) []Stm {
	n, ok := u.value(f.Bound)
	if !ok || n.Int() > mostIterations {
		u.failed = true
		return nil
	}
	own := u.binds(f)
	var out []Stm
	u.within++
	for i := range n.Int() {
		for _, v := range own {
			u.to[v] = u.out.Fresh(u.old.Vars[v].Name, u.old.Vars[v].Type)
		}
		u.values[f.Var] = prim.MakeI64(i)
		u.count(1)
		out = append(out, &Let{u.to[f.Var], &Const{Idx, prim.MakeI64(i)}})
		out = append(out, u.stms(f.Body)...)
		if u.failed {
			break
		}
	}
	u.within--
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

// value is that of an integer, where it is known.
func (u *unrolling) value(e Exp) (v prim.Value, ok bool) {
	switch e := Match(e).(type) {
	case *Const:
		return e.Value, e.Type.IsInt()
	case *VarExp:
		v, ok = u.values[e.Var]
		return v, ok
	case *Conv:
		if v, ok = u.value(e.X); !ok || !e.To.IsInt() {
			return v, false
		}
		v, ok = prim.Convert(e.To.Prim(), v), true
		return v, ok && (e.To != Idx || narrow(v))
	case *Bin:
		x, xok := u.value(e.X)
		y, yok := u.value(e.Y)
		if !xok || !yok {
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
