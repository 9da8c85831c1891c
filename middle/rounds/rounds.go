package rounds

import (
	"slices"

	"skald/middle/core"
	"skald/middle/functions"
	"skald/middle/pass"
	"skald/runtime/prim"
)

// Note [Rounds together]
//
// A thread that reads elements of an array and writes one, round after round, waits for memory in each round: no compiler moves a load
// before a store to the same array, as it does not know that the places differ. In core they are indices. Where those of the round's
// reads and of its update differ by constants from one round to the next, it is known which round writes what another reads: the reads
// of eight rounds come first, or take what an earlier of them computes, and then all updates in their order. Rounds that remain have a
// loop of their own. OptionPricing, large, took 5,752 us with four rounds and 5,587 with eight of 5,724 through WebGPU, 4,602 and 4,380 of
// 4,718 through CUDA (H200, 2026-11-27).

// Pass does rounds together.
var Pass = pass.Pass[*core.Prog, *core.Prog]{
	Name: "rounds",
	Doc:  "do eight rounds together of loops that read and update one array",
	Run:  func(ctx *pass.Context, p *core.Prog) *core.Prog { return functions.MapForGPU(ctx, p, function) },
}

const (
	together = 8  // rounds
	mostStms = 16 // of a round
)

// function rewrites the loops of threads in a function.
func function(f *core.Fun) *core.Fun {
	g := *f
	g.Names = slices.Clip(f.Names)
	w := &writer{fun: &g}
	g.Body = w.body(core.NewBuilder(&g, core.ScopeOf(f)), f.Body, onHost)
	if !w.changed {
		return f
	}
	return &g
}

// onHost says that no thread runs a body.
const onHost = false

type writer struct {
	fun     *core.Fun
	changed bool
}

// body rewrites a body, which one thread of a kernel runs or not.
func (w *writer) body(outer *core.Builder, b *core.Body, thread bool) *core.Body {
	out := outer.Nested()
	for _, s := range b.Stms {
		inside := thread
		if _, ok := s.Exp.(core.Seg); ok {
			m, ok := s.Exp.(*core.SegMap)
			inside = !ok || m.Level != core.LevelGroup
		}
		n := *s
		n.Exp = core.MapBodies(s.Exp, func(b *core.Body) *core.Body { return w.body(out, b, inside) })
		if l, ok := n.Exp.(*core.Loop); ok && thread {
			if r := roundOf(l); r != nil && r.pays() {
				w.changed = true
				w.write(out, &n, r)
				continue
			}
		}
		out.Add(&n)
	}
	return out.Body(b.Res...)
}

// round is a loop's body: scalars, reads of elements, and one update of the loop's array, whose result it is.
type round struct {
	loop   *core.Loop
	array  core.Var
	update *core.Stm
	defs   map[core.Var]core.Poly // of the body's integers
	own    core.VarSet            // what the body binds
}

// roundOf is a loop's body, if it is one; nil if not.
func roundOf(l *core.Loop) *round {
	if !l.IsFor() || l.Index.Type.Elem != prim.I64 || l.Bound.IsConst() || len(l.Params) != 1 || !l.Params[0].Type.IsArray() ||
		len(l.Body.Stms) > mostStms {
		return nil
	}
	r := &round{loop: l, array: l.Params[0].Var, defs: map[core.Var]core.Poly{}}
	for _, s := range l.Body.Stms {
		if core.MayFail(s.Exp) {
			return nil
		}
		for _, p := range s.Dst {
			r.own.Add(p.Var)
		}
		switch e := core.Match(s.Exp).(type) {
		case core.Scalar:
			r.define(s)
		case *core.Index:
			if !s.Dst[0].Type.IsScalar() || r.update != nil {
				return nil
			}
		case *core.Update:
			if r.update != nil || e.Array != r.array || !fixed(e.Slice) || !l.Body.Res[0].IsVar(s.Dst[0].Var) {
				return nil
			}
			r.update = s
		default:
			return nil
		}
	}
	if r.update == nil {
		return nil
	}
	return r
}

// fixed reports whether a slice is one element.
func fixed(s core.Slice) bool {
	return !slices.ContainsFunc(s, func(d core.Dim) bool { return !d.Fix })
}

// define notes what integer a statement computes.
func (r *round) define(s *core.Stm) {
	e, ok := s.Exp.(*core.Bin)
	if !ok || e.Type != prim.I64 {
		return
	}
	x, y := r.poly(e.X), r.poly(e.Y)
	switch e.Op {
	case prim.Add:
		r.defs[s.Dst[0].Var] = x.Add(y)
	case prim.Sub:
		r.defs[s.Dst[0].Var] = x.Sub(y)
	case prim.Mul:
		r.defs[s.Dst[0].Var] = x.Mul(y)
	default:
	}
}

func (r *round) poly(o core.Operand) core.Poly {
	if p, ok := r.defs[o.Var]; ok && o.Var != 0 {
		return p
	}
	return core.PolyOf(o)
}

// place are the indices of an element, of round k of those together.
func (r *round) place(s core.Slice, k int64) []core.Poly {
	out := make([]core.Poly, len(s))
	for d, dim := range s {
		out[d] = r.poly(dim.Off).Subst(func(v core.Var) core.Poly {
			p := core.PolyVar(v)
			if v == r.loop.Index.Var {
				p = p.Add(core.PolyConst(k))
			}
			return p
		})
	}
	return out
}

// compared says of two places whether they are the same, or differ.
func compared(x, y []core.Poly) (same, differ bool) {
	same = true
	for d := range x {
		n, known := x[d].Sub(y[d]).Const()
		same = same && known && n == 0
		differ = differ || known && n != 0
	}
	return same, differ
}

// reads are the statements that read the array.
func (r *round) reads() []*core.Stm {
	return slices.DeleteFunc(slices.Clone(r.loop.Body.Stms), func(s *core.Stm) bool {
		e, ok := s.Exp.(*core.Index)
		return !ok || e.Array != r.array
	})
}

// follows reports whether a place follows from the number of the round, and what does not change.
func (r *round) follows(s core.Slice) bool {
	return !slices.ContainsFunc(r.place(s, 0), func(p core.Poly) bool { return slices.ContainsFunc(p.Vars(), r.own.Has) })
}

// pays reports whether the round reads the array, and it is known of each read which round before wrote what it reads.
func (r *round) pays() bool {
	reads := r.reads()
	if !r.follows(r.update.Exp.(*core.Update).Slice) {
		return false
	}
	for _, s := range reads {
		if !r.follows(s.Exp.(*core.Index).Slice) {
			return false
		}
		for k := int64(1); k < together; k++ {
			same, differ := compared(r.place(s.Exp.(*core.Index).Slice, k), r.place(r.update.Exp.(*core.Update).Slice, 0))
			if !same && !differ {
				return false
			}
		}
	}
	return len(reads) > 0
}

// write writes both loops.
func (w *writer) write(b *core.Builder, s *core.Stm, r *round) {
	b.Where, b.Attrs, b.Certs = s.Aux.Where, s.Aux.Attrs, s.Aux.Certs
	l := r.loop
	many := core.Int(together)
	whole := b.Bin(prim.Quot, l.Bound, many)
	// What numbers rounds is written so that it is known to be narrow where the bound is.
	ps := core.FreshParams(b.Fun, l.Params)
	first := b.ForLoop(ps, l.Init, whole, func(b *core.Builder, q core.Operand, xs []core.Operand) []core.Operand {
		return []core.Operand{w.several(b, r, b.Bin(prim.Min, b.Mul64(q, many), l.Bound), xs[0])}
	})
	rest := *l
	rest.Init, rest.Bound = first, b.Sub64(l.Bound, b.Mul64(whole, many))
	rest.Index = b.Param("i", core.I64)
	rest.Body = b.Build(func(b *core.Builder) []core.Operand {
		left := b.Sub64(rest.Bound, core.V(rest.Index.Var))
		return b.Splice(l.Body, core.Subst{l.Index.Var: b.Sub64(l.Bound, left)})
	})
	b.Add(&core.Stm{Dst: s.Dst, Aux: s.Aux, Exp: &rest})
}

// several writes eight rounds, of which the first has number at, and returns the array behind them.
func (w *writer) several(b *core.Builder, r *round, at, array core.Operand) core.Operand {
	type read struct {
		place []core.Poly
		value core.Operand
	}
	var known []read // what an element of the array is
	var late []*core.Stm
	for k := range int64(together) {
		sub := core.Subst{r.loop.Index.Var: b.Add64(at, core.Int(k)), r.array: array}
		ren := core.NewRenamer(b.Fun, b.Fun, sub)
		for _, s := range r.loop.Body.Stms {
			if e, ok := s.Exp.(*core.Index); ok && e.Array == r.array {
				place := r.place(e.Slice, k)
				if i := slices.IndexFunc(known, func(r read) bool { same, _ := compared(place, r.place); return same }); i >= 0 {
					sub[s.Dst[0].Var] = known[i].value
					continue
				}
				n := ren.Stm(s)
				b.Add(n)
				known = append(known, read{place, core.V(n.Dst[0].Var)})
				continue
			}
			n := ren.Stm(s)
			if e, ok := n.Exp.(*core.Update); ok {
				place := r.place(s.Exp.(*core.Update).Slice, k)
				known = slices.DeleteFunc(known, func(r read) bool { same, _ := compared(place, r.place); return same })
				known = append(known, read{place, e.Value})
				late = append(late, n)
				continue
			}
			b.Add(n)
		}
	}
	last := array
	for _, s := range late {
		e := *s.Exp.(*core.Update)
		e.Array = last.Var
		last = core.V(s.Dst[0].Var)
		s.Exp = &e
		b.Add(s)
	}
	return last
}
