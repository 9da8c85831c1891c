package shortcircuit

import (
	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Regions]
//
// Two parts of a block are apart if one ends before the other begins: if the difference of two polynomials has no negative coefficient
// once sums and products of sizes are written out, since sizes, indices of kernels and of loops are not negative.

// facts is what is known of the numbers of a function.
type facts struct {
	natural map[core.Var]bool      // not negative
	sums    map[core.Var]core.Poly // what variables are sums and products of, written out
}

func newFacts() facts { return facts{natural: map[core.Var]bool{}, sums: map[core.Var]core.Poly{}} }

// mostTerms bounds the polynomials that are written out.
const mostTerms = 16

// param notes that the sizes of what is bound are not negative.
func (f facts) param(q core.Param) {
	for _, n := range q.Type.Shape {
		f.natural[n.Var] = true
	}
}

func (f facts) stm(s *core.Stm) {
	switch e := core.Match(s.Exp).(type) {
	case *core.Bin:
		f.bin(s.Dst[0].Var, e)
	case core.Seg:
		for _, id := range e.SpaceOf().Binds() {
			f.natural[id] = true
		}
	case *core.Loop:
		if e.IsFor() {
			f.natural[e.Index.Var] = true
		}
	default:
	}
}

func (f facts) bin(dst core.Var, e *core.Bin) {
	if e.Type != prim.I64 {
		return
	}
	x, y := f.written(core.PolyOf(e.X)), f.written(core.PolyOf(e.Y))
	var sum core.Poly
	switch e.Op {
	case prim.Add:
		sum = x.Add(y)
	case prim.Sub:
		sum = x.Sub(y)
	case prim.Mul:
		sum = x.Mul(y)
	default:
		return
	}
	if len(sum.Terms) <= mostTerms {
		f.sums[dst] = sum
	}
}

// written is a polynomial with the sums and products that are known written out.
func (f facts) written(p core.Poly) core.Poly {
	return p.Subst(func(v core.Var) core.Poly {
		if s, ok := f.sums[v]; ok {
			return s
		}
		return core.PolyVar(v)
	})
}

// apart reports whether two parts of one block have no element in common: see Note [Regions].
func (f facts) apart(a, b core.Type) bool {
	fromA, toA, ok := f.bounds(a)
	if !ok {
		return false
	}
	fromB, toB, ok := f.bounds(b)
	return ok && (f.isNatural(fromB.Sub(toA)) || f.isNatural(fromA.Sub(toB)))
}

// bounds are where a part of a block begins, and where it ends unless it is empty.
func (f facts) bounds(t core.Type) (from, to core.Poly, ok bool) {
	from, to = t.Layout.Offset, t.Layout.Offset.Add(core.PolyConst(1))
	for d, s := range t.Layout.Strides {
		if !f.isNatural(s) {
			return from, to, false
		}
		to = to.Add(core.PolyOf(t.Shape[d]).Sub(core.PolyConst(1)).Mul(s))
	}
	return from, to, true
}

// isNatural reports whether a polynomial is known not to be negative.
func (f facts) isNatural(p core.Poly) bool { return f.allNatural(p) || f.allNatural(f.written(p)) }

func (f facts) allNatural(p core.Poly) bool {
	for _, t := range p.Terms {
		if t.Coef < 0 {
			return false
		}
		for _, v := range t.Vars {
			if !f.natural[v] {
				return false
			}
		}
	}
	return true
}
