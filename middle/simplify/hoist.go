package simplify

import (
	"slices"

	"skald/middle/core"
)

// tableSize is the number of elements from which on an array literal in a
// kernel is better made once, in device memory.
const tableSize = 8

// hoister knows what the body being left binds.
type hoister struct {
	bound  map[core.Var]bool
	kernel bool
}

func (h *hoister) bind(ps []core.Param) {
	for _, p := range ps {
		h.bound[p.Var] = true
	}
}

// hoist moves statements that depend on nothing bound in a body to the code
// around it, and gives the others.
func (s *simplifier) hoist(h *hoister, stms []*core.Stm) []*core.Stm {
	var rest []*core.Stm
	for _, st := range stms {
		free := core.FreeInStm(st).List()
		bound := slices.ContainsFunc(free, func(v core.Var) bool { return h.bound[v] })
		if bound || len(st.Aux.Certs) > 0 || !s.movable(h, st) {
			h.bind(st.Dst)
			rest = append(rest, st)
			continue
		}
		s.changed = true
		s.add(st)
	}
	return rest
}

// movable reports whether a statement may run although the body it is in
// might not, and is worth running earlier.
func (s *simplifier) movable(h *hoister, st *core.Stm) bool {
	switch e := st.Exp.(type) {
	case *core.Use, *core.Un, *core.Cmp, *core.Conv, *core.CallFunc:
		return st.Dst[0].Type.IsScalar()
	case *core.Bin:
		return !e.Op.CanFail(e.Type) || e.Y.IsConst() && !e.Y.Const.IsZero() && !e.Y.Const.IsNegative()
	case *core.Rearrange, *core.Reshape:
		return s.stage != core.StageMemory
	case *core.Iota, *core.Replicate:
		return !s.aliases.Consumed(st.Dst[0].Var)
	case *core.ArrayLit:
		return s.stage == core.StageKernels && h.kernel && len(e.Elems) >= tableSize && !s.aliases.Consumed(st.Dst[0].Var)
	default:
	}
	return false
}
