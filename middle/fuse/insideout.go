package fuse

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

const (
	addition       = prim.Add
	multiplication = prim.Mul
	i64            = prim.I64
)

// insideOut swaps a map that only updates with the map that is all its body, when that spares a transposition; nil when it does not, or
// they cannot be swapped.
func (m *moves) insideOut(s *core.Stm) []*core.Stm {
	outer := onlyUpdates(s)
	if outer == nil || len(outer.Map.Body.Stms) != 1 {
		return nil
	}
	t := outer.Map.Body.Stms[0]
	inner := onlyUpdates(t)
	if inner == nil || !slices.EqualFunc(t.Dst, outer.Map.Body.Res, func(p core.Param, r core.Operand) bool { return r.IsVar(p.Var) }) {
		return nil
	}
	params := core.ParamVars(outer.Map.Params)
	free := core.FreeInLambda(inner.Map)
	if slices.ContainsFunc(params, inner.Size.IsVar) || len(t.Aux.Certs) > 0 {
		return nil
	}
	spares := false
	for k, p := range outer.Map.Params {
		row := slices.Contains(inner.Arrays, p.Var)
		if row == p.Type.IsScalar() || row && free.Has(p.Var) {
			return nil
		}
		spares = spares || row && m.transposed(outer.Arrays[k]) != 0
	}
	if !spares {
		return nil
	}
	return m.swapped(s, t, outer, inner)
}

// swapped is the nest of s, and t inside of it, with t's map outside.
func (m *moves) swapped(s, t *core.Stm, outer, inner *core.Screma) []*core.Stm {
	in := m.Nested()
	in.Where, in.Attrs, in.Certs = s.Aux.Where, s.Aux.Attrs, s.Aux.Certs
	newOuter := &core.Screma{Size: inner.Size}
	newInner := &core.Screma{Size: outer.Size}
	var above, below []core.Param
	for k, p := range outer.Map.Params {
		if p.Type.IsScalar() {
			newInner.Arrays, below = append(newInner.Arrays, outer.Arrays[k]), append(below, p)
		}
	}
	for j, q := range inner.Map.Params {
		k := slices.Index(core.ParamVars(outer.Map.Params), inner.Arrays[j])
		if k < 0 {
			newOuter.Arrays, above = append(newOuter.Arrays, inner.Arrays[j]), append(above, q)
			continue
		}
		row := m.Param("row", core.ArrayOf(q.Type, outer.Size))
		newOuter.Arrays, above = append(newOuter.Arrays, m.transpose(in, outer.Arrays[k])), append(above, row)
		newInner.Arrays, below = append(newInner.Arrays, row.Var), append(below, q)
	}
	newInner.Map = &core.Lambda{Params: below, Body: inner.Map.Body, Ret: inner.Map.Ret}
	body := &core.Body{Stms: []*core.Stm{{Dst: t.Dst, Exp: newInner, Aux: t.Aux}}, Res: outer.Map.Body.Res}
	newOuter.Map = &core.Lambda{Params: above, Body: body, Ret: outer.Map.Ret}
	in.Bind(s.Dst, newOuter)
	return in.Stms()
}

// transposed is the array that a is the transposition of, in its first two dimensions; zero if it is none.
func (m *moves) transposed(a core.Var) core.Var {
	s := m.defs[a]
	if s == nil {
		return 0
	}
	e, ok := s.Exp.(*core.Rearrange)
	if !ok || !slices.Equal(e.Perm, core.Transposition(len(e.Perm))) {
		return 0
	}
	return e.Array
}

// transpose is an array with its first two dimensions swapped.
func (m *moves) transpose(b *core.Builder, a core.Var) core.Var {
	if v := m.transposed(a); v != 0 {
		return v
	}
	return b.LetVar("columns", &core.Rearrange{Perm: core.Transposition(b.TypeOf(core.V(a)).Rank()), Array: a})
}
