package choose

import (
	"slices"

	"skald/middle/core"
	"skald/middle/facts"
)

// leastGroup is the fewest threads of a workgroup: devices run as many in any case.
const leastGroup = 32

// groupMap chooses how large the workgroups are that run a map's body: with few threads where no operation inside has more points, which
// where that is not constant the host finds out, and else with all.
func (c *chooser) groupMap(e *core.SegMap) *core.Choice {
	largest, known, outside := c.inside(e.Body)
	size := c.GroupSize
	for known && size > leastGroup && int64(size/2) >= largest {
		size /= 2
	}
	form := func(threads int) core.Form { return core.Form{Way: core.WayWorkgroup, Group: threads} }
	var forms []core.Form
	if outside && !known {
		for _, small := range facts.SmallGroups {
			if small < size {
				f := form(small)
				f.When = either(core.Compare(core.MeasureLargest, core.AtMost, small))
				forms = append(forms, f)
			}
		}
	}
	return &core.Choice{Forms: append(forms, form(size))}
}

// inside is how many points the largest operation has that a workgroup's body holds, if all have constant sizes, and whether all sizes are
// known outside of the body.
func (c *chooser) inside(b *core.Body) (largest int64, known, outside bool) {
	largest, known, outside = 1, true, true
	var bound core.VarSet
	core.Walk(b, func(s *core.Stm) bool {
		for _, p := range s.Dst {
			bound.Add(p.Var)
		}
		if l, ok := s.Exp.(*core.Loop); ok {
			bound.Add(l.Index.Var)
			for _, p := range l.Params {
				bound.Add(p.Var)
			}
		}
		e, ok := s.Exp.(core.Seg)
		if !ok {
			return true
		}
		n := int64(1)
		for _, size := range e.SpaceOf().Sizes {
			k, constant := size.ConstInt()
			known = known && constant
			n *= max(k, 1)
		}
		largest = max(largest, n)
		return false
	})
	core.Walk(b, func(s *core.Stm) bool {
		e, ok := s.Exp.(core.Seg)
		if ok {
			outside = outside && !slices.ContainsFunc(e.SpaceOf().Sizes, func(n core.Operand) bool { return !n.IsConst() && bound.Has(n.Var) })
		}
		return !ok
	})
	return largest, known, outside
}
