package imp

import (
	"slices"

	"skald/runtime/prim"
)

// Note [Loads a round ahead]
//
// In a loop with a barrier all threads of a workgroup wait in each round for what one of them loads from device memory. A load that needs
// nothing of the round but its number is begun in the round before, first of all, so that it has the whole round:
//
//	for m < n {                               let p = 0
//	  if i <= m {                             if 0 < n {if i <= 0 {p = f(0, i)}}
//	    let x = @global[f(m, i)]              let ahead = @global[maybe p]
//	    … @shared[…] + x …                    for m < n {
//	  }                                         let now = ahead
//	  barrier                                   let q = 0
//	}                                           if m + 1 < n {if i <= m + 1 {q = f(m + 1, i)}}
//	                                            ahead = @global[maybe q]
//	                                            if i <= m {let x = now; … @shared[…] + x …}
//	                                            barrier
//	                                          }
//
// The load itself is under no condition, so that nothing waits for it where a branch ends. Where the program loads nothing, the place is 0,
// and what comes of it is not used. Rodinia's nw takes 3,065 µs so through WebGPU and 2,016 on CUDA, 3,299 and 2,140 without the pass and
// with loads in branches (H200, 2026-11-27).
//
// Loops that check something stay as they are, and loads whose statement reads nothing of workgroup memory: those of tiles have nothing to
// wait for but each other. So do loads under conditions that are the same in each round: compilers begin these early themselves, and what
// is carried from round to round is in their way (119 µs with such a load ahead on CUDA, 68 without; LocVolCalib 4,664 and 4,502 through
// WebGPU).

// Note [Maybe an element]
//
// Index 0 of a load with Maybe set may stand for no element (Load). It is sound to load there all the same, as every array that a kernel
// is given has room for an element: blocks have 16 bytes at least (runtime/host), and so have parts of arenas; WebGPU demands of a binding
// that an element of the array fits. The array may have no elements, and in a block that other arrays share a thread may write to that
// place meanwhile; so the value may be anything. The evaluator, whose blocks may be empty, loads 0 from these, and looks for no races.

// mostAhead is how many loads of a loop are done a round ahead.
const mostAhead = 4

// Prefetch is p where loads in the loops of workgroups are done a round ahead: Note [Loads a round ahead].
func Prefetch(p *Prog) *Prog {
	return mapKernels(p, func(k *Kernel) {
		f := &prefetcher{unroller{kernel: k}}
		k.Body = f.stms(k.Body)
	})
}

type prefetcher struct{ unroller }

func (p *prefetcher) stms(body []Stm) []Stm {
	out := make([]Stm, 0, len(body))
	for _, s := range body {
		s = s.parts(Mapper{Body: p.stms})
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
	isBarrier := func(s Stm) bool { _, ok := s.(*Barrier); return ok }
	if !slices.ContainsFunc(f.Body, isBarrier) || p.kernel.Vars[f.Var].Type != Idx || Any(f.Body, MayFail) {
		return []Stm{f}
	}
	r := &round{p: p, loop: f, changed: setIn(f.Body), defs: map[Var]*Let{}, inside: map[Var]bool{f.Var: true}}
	Walk(f.Body, func(s Stm) bool {
		for _, v := range s.binds() {
			r.inside[v] = true
		}
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
	if r.before == nil {
		return []Stm{f}
	}
	return append(r.before, &For{f.Var, r.bound, slices.Concat(r.now, r.next, body), f.Parallel})
}

// readsShared reports whether a statement loads from workgroup memory.
func (p *prefetcher) readsShared(s Stm) bool {
	return Any([]Stm{s}, func(s Stm) bool {
		found := false
		for _, e := range s.exps() {
			WalkExp(e, func(e Exp) {
				l, ok := e.(*Load)
				found = found || ok && p.kernel.Mems[l.Mem].Space == Shared
			})
		}
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
	// before are the statements before the loop, now what takes what was loaded, and next what loads for the next round.
	before, now, next []Stm
	loads             int
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
				out[i] = &Let{s.Var, &VarExp{r.ahead(s.Var, l, here)}}
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

// early reports whether a load can be done a round ahead, and whether that is worth it: some condition differs from round to round.
func (r *round) early(l *Load, path []branch) bool {
	m := r.p.kernel.Mems[l.Mem]
	if m.Space != Global || m.Access != Read || r.loads == mostAhead {
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

// ahead makes the variable that has what is loaded for a round, and the statements that load it.
func (r *round) ahead(v Var, l *Load, path []branch) Var {
	r.loads++
	decl := r.p.kernel.Vars[v]
	to := r.p.fresh("ahead", decl.Type)
	if r.before == nil {
		bound := r.p.fresh("bound", Idx)
		r.before, r.bound = []Stm{&Let{bound, r.loop.Bound}}, &VarExp{bound}
	}
	first, stms := r.load(l, path, &Const{Idx, prim.MakeI64(0)})
	r.before = append(append(r.before, stms...), &Let{to, first})
	next, stms := r.load(l, path, &Bin{prim.Add, Idx, &VarExp{r.loop.Var}, &Const{Idx, prim.MakeI64(1)}})
	r.next = append(append(r.next, stms...), &Set{to, next})
	now := r.p.fresh("now", decl.Type)
	r.now = append(r.now, &Let{now, &VarExp{to}})
	return now
}

// load is a load for a round, with the statements that compute its place: Note [Maybe an element].
func (r *round) load(l *Load, path []branch, number Exp) (Exp, []Stm) {
	place, at := r.p.fresh("place", Idx), r.p.fresh(r.p.kernel.Vars[r.loop.Var].Name, Idx)
	names := map[Var]Var{r.loop.Var: at}
	m := renaming(names)
	needed := []Exp{l.Index}
	for _, b := range path[1:] {
		needed = append(needed, b.cond)
	}
	var copies [][]Stm
	for _, b := range path {
		var own []Stm
		for _, s := range Needed(b.stms, r.closure(needed)) {
			let := s.(*Let)
			names[let.Var] = r.p.fresh(r.p.kernel.Vars[let.Var].Name, r.p.kernel.Vars[let.Var].Type)
			own = append(own, let)
		}
		copies = append(copies, own)
	}
	inner := []Stm{&Set{place, m.exp(l.Index)}}
	for i := len(path) - 1; i >= 0; i-- {
		var body []Stm
		for _, s := range copies[i] {
			body = append(body, s.parts(*m))
		}
		inner = append(body, inner...)
		switch b := path[i]; {
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
	return &Load{l.Mem, &VarExp{place}, true}, stms
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
