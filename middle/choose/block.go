package choose

import (
	"slices"

	"skald/middle/core"
	"skald/middle/tile"
)

// Note [Blocks of points]
//
// Neighbouring threads have neighbouring points of the last dimension, where results lie side by side. An array that the body reads across,
// a transposed one, then has a sector of 32 bytes read for each element, and eight times until all of its elements have been. Copying it
// first (package layout) costs more than that where each element is read once. So a workgroup takes a block of points: few of the last
// dimension, whose results fill a sector, and many of the one along which the elements that are read lie side by side, which fill sectors
// as well.
//
// Vectors of points would only make it worse: threads of a subgroup would touch four times as many sectors.

// blockSide is how many points of the last dimension a block has: results of 4 bytes fill a sector.
const blockSide = 8

// block is the form of a map whose workgroups take blocks of points, if its body reads an array across.
func (c *chooser) block(s *core.Stm, e *core.SegMap) (core.Form, bool) {
	f := core.Form{
		Way: core.WayThread, Group: c.GroupSize, Side: blockSide,
		When: all(core.Compare(core.MeasureAcross, core.Above, blockSide-1),
			core.Compare(core.MeasureAlong, core.Above, c.GroupSize/blockSide-1)),
	}
	if c.Tasks > 0 || c.oneThread || c.Software || !c.blocks(f, s, e) {
		return f, false
	}
	return f, true
}

// blocks reports whether workgroups of a map can take blocks of points.
func (c *chooser) blocks(f core.Form, s *core.Stm, e *core.SegMap) bool {
	_, across := ReadAcross(e, c.scope.TypeOf)
	return across && f.Group%f.Side == 0 && e.Space.Slot == 0 && straight(e.Body) &&
		!slices.ContainsFunc(s.Dst, func(d core.Param) bool {
			return !d.Type.IsArray() || d.Type.Elem.Size() < 4 || Beside(d.Type) != len(e.Space.Ids)-1
		})
}

// ReadAcross is the dimension of a map's points along which elements that its body reads lie side by side in memory, where that is not the
// last one.
func ReadAcross(e *core.SegMap, types func(core.Var) core.Type) (dim int, ok bool) {
	last := len(e.Space.Ids) - 1
	for _, s := range e.Body.Stms {
		read, is := s.Exp.(*core.Index)
		if !is || !s.Dst[0].Type.IsScalar() || s.Dst[0].Type.Elem.Size() < 4 || types(read.Array).Layout == nil {
			continue
		}
		at := tile.Place(types(read.Array), read.Slice)
		for d, id := range e.Space.Ids[:max(last, 0)] {
			if stride(at, id).Equal(core.PolyConst(1)) && !stride(at, e.Space.Ids[last]).Equal(core.Poly{}) {
				return d, true
			}
		}
	}
	return 0, false
}

// stride is how much further a place is if a variable is one more, where it is linear in that.
func stride(at core.Poly, v core.Var) core.Poly {
	next := at.Subst(func(w core.Var) core.Poly {
		if w == v {
			return core.PolyVar(w).Add(core.PolyConst(1))
		}
		return core.PolyVar(w)
	})
	return next.Sub(at)
}
