package imp

import (
	"slices"

	"skald/runtime/prim"
)

// Note [Loads of rounds together]
//
// In a loop with a barrier all threads of a workgroup wait in each round for what one of them loads from device memory. Loads that need
// nothing of a round but its number are done for four rounds together, so that these wait once:
//
//	for m < n {                               for c < (n + 3) / 4 {
//	  if i <= m {                               let first = c * 4
//	    let x = @global[f(m, i)]                let p = 0
//	    … @shared[…] + x …                      if first + 0 < n {if i <= first + 0 {p = f(first + 0, i)}}
//	  }                                         let now = @global[maybe p]
//	  barrier                                   … and three times more, with first + 1, first + 2, first + 3
//	}                                           let m = first + 0
//	                                            if m < n {
//	                                              if i <= m {let x = now; … @shared[…] + x …}
//	                                              barrier
//	                                            }
//	                                            … and three times more
//	                                          }
//
// The load itself is under no condition, so that nothing waits for it where a branch ends. Where the program loads nothing, the place is 0,
// and what comes of it is not used. Rodinia's nw takes 2,848 µs so through WebGPU, and 3,314 with each load in its round; on CUDA 2,031.
// Loads a round ahead came to 3,148 and 2,129, in branches to 2,246 on CUDA, those of eight rounds together to 2,905 and 2,004 (H200,
// 2026-11-27).
//
// Loops that check something stay as they are, and loads whose statement reads nothing of workgroup memory: those of tiles have nothing to
// wait for but each other. So do loads under conditions that are the same in each round: begun a round ahead they lost (119 µs on CUDA, and
// 68 in their rounds), as compilers unroll such loops themselves.

// Note [Maybe an element]
//
// Index 0 of a load with Maybe set may stand for no element (Load). It is sound to load there all the same, as every array that a kernel
// is given has room for an element: blocks have 16 bytes at least (runtime/host), and so have parts of arenas; WebGPU demands of a binding
// that an element of the array fits. The array may have no elements, and in a block that other arrays share a thread may write to that
// place meanwhile; so the value may be anything. The evaluator, whose blocks may be empty, loads 0 from these, and looks for no races.

const (
	roundsTogether = 4   // whose loads are done together
	mostTogether   = 4   // loads of a round
	roundNodes     = 400 // expressions of a round at most, whose statements are there four times
)

// Prefetch is p where loads in the loops of workgroups are done for some rounds together: Note [Loads of rounds together].
func Prefetch(p *Prog) *Prog {
	return mapKernels(p, func(k *Kernel) {
		if f := (&prefetcher{unroller{kernel: k}}); Any(k.Body, isBarrier) {
			k.Body = f.stms(k.Body)
		}
	})
}

func isBarrier(s Stm) bool {
	_, ok := s.(*Barrier)
	return ok
}

type prefetcher struct{ unroller }

func (p *prefetcher) stms(body []Stm) []Stm {
	out, inside := make([]Stm, 0, len(body)), p.stms
	for _, s := range body {
		s = mapBodies(s, inside)
		if f, ok := s.(*For); ok {
			out = append(out, p.loop(f)...)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// loop is a loop with what comes before it.
func (p *prefetcher) loop(f *For) []Stm {
	if !slices.ContainsFunc(f.Body, isBarrier) || p.kernel.Vars[f.Var].Type != Idx || Any(f.Body, MayFail) || nodes(f.Body) > roundNodes {
		return []Stm{f}
	}
	r := &round{p: p, loop: f, changed: setIn(f.Body), defs: map[Var]*Let{}, inside: map[Var]bool{f.Var: true}}
	Walk(f.Body, func(s Stm) bool {
		eachBound(s, func(v Var) { r.inside[v] = true })
		if let, ok := s.(*Let); ok {
			r.defs[let.Var] = let
		}
		return true
	})
	var body []Stm
	for i, s := range f.Body {
		if p.readsShared(s) {
			s = r.replaced(s, f.Body[:i])
		}
		body = append(body, s)
	}
	if len(r.loads) == 0 {
		return []Stm{f}
	}
	return r.together(body)
}

// nodes is how many expressions there are in statements.
func nodes(body []Stm) (n int) {
	Walk(body, func(s Stm) bool {
		WalkExps(s, func(Exp) { n++ })
		return true
	})
	return n
}

// readsShared reports whether a statement loads from workgroup memory.
func (p *prefetcher) readsShared(s Stm) bool {
	return Any([]Stm{s}, func(s Stm) bool {
		found := false
		WalkExps(s, func(e Exp) {
			l, ok := e.(*Load)
			found = found || ok && p.kernel.Mems[l.Mem].Space == Shared
		})
		return found
	})
}

// round is the state of one loop.
type round struct {
	p       *prefetcher
	loop    *For
	bound   Exp // once it is computed before the loop
	changed map[Var]bool
	defs    map[Var]*Let
	inside  map[Var]bool // bound in the loop
	loads   []roundLoad
}

// roundLoad is a load that is done before its round, in the branches of path, and the variable that has what is loaded.
type roundLoad struct {
	load *Load
	path []branch
	now  Var
}

// branch is a branch that a load is in, with the statements before it there.
type branch struct {
	cond  Exp
	other bool // of two branches the second
	stms  []Stm
}

// replaced is a statement in which loads are uses of what was loaded before; earlier are the statements before it in the loop.
func (r *round) replaced(s Stm, earlier []Stm) Stm {
	return r.within([]Stm{s}, []branch{{stms: earlier}})[0]
}

func (r *round) within(body []Stm, path []branch) []Stm {
	out := make([]Stm, len(body))
	for i, s := range body {
		out[i] = s
		top := path[len(path)-1]
		before := append(slices.Clip(top.stms), body[:i]...)
		here := append(slices.Clip(path[:len(path)-1]), branch{top.cond, top.other, before})
		switch s := MatchStm(s).(type) {
		case *Let:
			if l, ok := s.Exp.(*Load); ok && r.early(l, here) {
				now := r.p.fresh("now", r.p.kernel.Vars[s.Var].Type)
				r.loads = append(r.loads, roundLoad{l, here, now})
				out[i] = &Let{s.Var, &VarExp{now}}
			}
		case *If:
			then := r.within(s.Then, append(slices.Clip(here), branch{cond: s.Cond}))
			other := r.within(s.Else, append(slices.Clip(here), branch{cond: s.Cond, other: true}))
			out[i] = &If{s.Cond, then, other}
		default:
		}
	}
	return out
}

// early reports whether a load can be done before its round, and whether that is worth it: some condition differs from round to round.
func (r *round) early(l *Load, path []branch) bool {
	m := r.p.kernel.Mems[l.Mem]
	if m.Space != Global || m.Access != Read || len(r.loads) == mostTogether {
		return false
	}
	ok := r.computed(l.Index)
	var conds []Exp
	for _, b := range path[1:] {
		ok = ok && r.computed(b.cond)
		conds = append(conds, b.cond)
	}
	number := map[Var]bool{r.loop.Var: true}
	return ok && slices.ContainsFunc(r.closure(conds), func(e Exp) bool { return mentions(e, number) })
}

// computed reports whether an expression follows from the number of the round and what does not change.
func (r *round) computed(e Exp) bool {
	ok := true
	WalkExp(e, func(e Exp) {
		switch e := Match(e).(type) {
		case *Load:
			ok = false
		case *VarExp:
			let := r.defs[e.Var]
			switch {
			case e.Var == r.loop.Var:
			case r.changed[e.Var] || r.inside[e.Var] && let == nil:
				ok = false
			case let != nil:
				ok = ok && r.computed(let.Exp)
			}
		}
	})
	return ok
}

// together is the loop, of whose body some rounds are done together, with what comes before it.
func (r *round) together(body []Stm) []Stm {
	index := func(n int64) Exp { return &Const{Idx, prim.MakeI64(n)} }
	bin := func(op prim.BinOp, x Exp, n int64) Exp { return &Bin{op, Idx, x, index(n)} }
	bound, chunk, first := r.p.fresh("bound", Idx), r.p.fresh("chunk", Idx), r.p.fresh("first", Idx)
	r.bound = &VarExp{bound}
	places, loads, rounds := []Stm{&Let{first, bin(prim.Mul, &VarExp{chunk}, roundsTogether)}}, []Stm(nil), []Stm(nil)
	for n := range int64(roundsTogether) {
		number := bin(prim.Add, &VarExp{first}, n)
		at := r.p.fresh(r.p.kernel.Vars[r.loop.Var].Name, Idx)
		names := map[Var]Var{r.loop.Var: at}
		for _, l := range r.loads {
			load, stms := r.load(l, number)
			now := r.p.fresh("now", r.p.kernel.Vars[l.now].Type)
			places, loads, names[l.now] = append(places, stms...), append(loads, &Let{now, load}), now
		}
		own := r.p.copyOf(body, names)
		rounds = append(rounds, &Let{at, number}, &If{&Cmp{prim.Lt, Idx, &VarExp{at}, r.bound}, own, nil})
	}
	chunks := bin(prim.Quot, bin(prim.Add, r.bound, roundsTogether-1), roundsTogether)
	return []Stm{&Let{bound, r.loop.Bound}, &For{chunk, chunks, slices.Concat(places, loads, rounds), r.loop.Parallel}}
}

// load is a load for a round, with the statements that compute its place: Note [Maybe an element].
func (r *round) load(l roundLoad, number Exp) (Exp, []Stm) {
	place, at := r.p.fresh("place", Idx), r.p.fresh(r.p.kernel.Vars[r.loop.Var].Name, Idx)
	names := map[Var]Var{r.loop.Var: at}
	m := renaming(names)
	needed := []Exp{l.load.Index}
	for _, b := range l.path[1:] {
		needed = append(needed, b.cond)
	}
	var copies [][]Stm
	for _, b := range l.path {
		var own []Stm
		for _, s := range Needed(b.stms, r.closure(needed)) {
			let := s.(*Let)
			names[let.Var] = r.p.fresh(r.p.kernel.Vars[let.Var].Name, r.p.kernel.Vars[let.Var].Type)
			own = append(own, let)
		}
		copies = append(copies, own)
	}
	inner := []Stm{&Set{place, m.exp(l.load.Index)}}
	for i := len(l.path) - 1; i >= 0; i-- {
		var body []Stm
		for _, s := range copies[i] {
			body = append(body, s.parts(*m))
		}
		inner = append(body, inner...)
		switch b := l.path[i]; {
		case i == 0:
		case b.other:
			inner = []Stm{&If{m.exp(b.cond), nil, inner}}
		default:
			inner = []Stm{&If{m.exp(b.cond), inner, nil}}
		}
	}
	stms := []Stm{
		&Let{place, &Const{Idx, prim.MakeI64(0)}}, &Let{at, number},
		&If{&Cmp{prim.Lt, Idx, &VarExp{at}, r.bound}, inner, nil},
	}
	return &Load{l.load.Mem, &VarExp{place}, true}, stms
}

// closure are expressions with those of the variables in them.
func (r *round) closure(es []Exp) []Exp {
	out := slices.Clone(es)
	seen := map[Var]bool{}
	for i := 0; i < len(out); i++ {
		WalkExp(out[i], func(e Exp) {
			if v, ok := e.(*VarExp); ok && !seen[v.Var] && r.defs[v.Var] != nil {
				seen[v.Var] = true
				out = append(out, r.defs[v.Var].Exp)
			}
		})
	}
	return out
}
