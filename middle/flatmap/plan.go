package flatmap

import (
	"slices"

	"skald/middle/core"
)

// plan decides which statements of the function each map runs, and what the second gets from the first instead: see
// Note [Flat maps]. It goes from the elements backwards, so all uses of a variable are known where it is bound.
func (x *expansion) plan() {
	stms := x.flat.Body.Stms
	x.again = map[core.Var]bool{}
	born := map[core.Var]bool{}
	for _, s := range stms {
		for _, p := range s.Dst {
			born[p.Var] = true
		}
	}
	measured := x.measured(born)
	x.first = &core.Body{}
	needed := &core.VarSet{}
	for _, r := range x.flat.Body.Res[:1+x.flat.Segments] {
		needed.Add(r.Var)
	}
	for i, s := range slices.Backward(stms) {
		var mine []core.Param
		for _, p := range s.Dst {
			if needed.Has(p.Var) {
				mine = append(mine, p)
			}
		}
		switch {
		case len(mine) == 0:
		case measured[i] && !free(s, born) && x.keeps(mine, stms[i+1:], born):
			x.kept = append(x.kept, mine...)
		default:
			x.again[s.Dst[0].Var] = true
			needed.AddFree(s)
		}
	}
	for i, s := range stms {
		if measured[i] {
			x.first.Stms = append(x.first.Stms, s)
		}
	}
}

// measured says which statements the lengths and the rests depend on, which look up a scalar in what these make, and which nothing depends
// on, as they may be there for what they check, with what they depend on.
func (x *expansion) measured(born map[core.Var]bool) []bool {
	body := x.flat.Body
	stms := body.Stms
	elements := dependencies(stms, body.Res[1:1+x.flat.Segments], nil)
	out := dependencies(stms, append(body.Res[:1:1], body.Res[1+x.flat.Segments:]...), elements)
	here := map[core.Var]bool{}
	for i, s := range stms {
		if e, ok := s.Exp.(*core.Index); ok && !s.Dst[0].Type.IsArray() && born[e.Array] {
			out[i] = out[i] || !slices.ContainsFunc(core.FreeInStm(s).List(), func(v core.Var) bool { return born[v] && !here[v] })
		}
		for _, p := range s.Dst {
			here[p.Var] = out[i]
		}
	}
	return out
}

// dependencies says which statements results depend on, and, if but is not nil, what statements depend on that are not in it.
func dependencies(stms []*core.Stm, results []core.Operand, but []bool) []bool {
	out := make([]bool, len(stms))
	needed := &core.VarSet{}
	for _, r := range results {
		needed.Add(r.Var)
	}
	for i, s := range slices.Backward(stms) {
		if but != nil && !but[i] || slices.ContainsFunc(s.Dst, func(p core.Param) bool { return needed.Has(p.Var) }) {
			out[i] = true
			needed.AddFree(s)
		}
	}
	return out
}

// free reports whether a statement costs no more than reading its result would. An element of an array that the function makes is not
// free, as the array would have to be made again.
func free(s *core.Stm, born map[core.Var]bool) bool {
	switch e := core.Match(s.Exp).(type) {
	case *core.Index:
		return s.Dst[0].Type.IsArray() || !born[e.Array]
	case core.Scalar, core.View, *core.Iota, *core.Replicate, *core.Scratch:
		return true
	default:
		return false
	}
}

// keeps reports whether the first map can return ps: values whose shapes are the same at all points, and which none of the statements that
// follow overwrites.
func (x *expansion) keeps(ps []core.Param, later []*core.Stm, born map[core.Var]bool) bool {
	for _, p := range ps {
		if p.Type.Kind != core.KindScalar && p.Type.Kind != core.KindArray {
			return false
		}
		if slices.ContainsFunc(p.Type.Shape, func(n core.Operand) bool { return x.ofPoint(n, born) }) || x.overwritten(p.Var, later) {
			return false
		}
	}
	return true
}

// ofPoint reports whether a size is one of the point's own.
func (x *expansion) ofPoint(n core.Operand, born map[core.Var]bool) bool {
	return born[n.Var] || slices.ContainsFunc(x.flat.Params, func(p core.Param) bool { return n.IsVar(p.Var) })
}

// overwritten reports whether statements overwrite what v may share memory with.
func (x *expansion) overwritten(v core.Var, stms []*core.Stm) bool {
	if x.b.Scope.TypeOf(v).Kind == core.KindScalar {
		return false
	}
	return x.aliases.Overwritten(v, stms)
}
