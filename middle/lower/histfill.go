package lower

import (
	"slices"

	"skald/middle/core"
)

// Note [Destinations that are neutral]
//
// A histogram often begins with an array that was made for it, of nothing but its operator's neutral element. Ways that leave copies of the
// bins need no such array: the launch that combines these begins with that element and writes all bins. So the map that makes the array is
// generated where a way updates it, and nowhere else. Nothing but operations on scalars and allocations may be between the two.

// delayFills has the histograms among some statements generate what makes their destinations.
func (c *hostBuilder) delayFills(stms []*core.Stm) {
	for i, s := range stms {
		h, ok := s.Exp.(*core.SegHist)
		if !ok || h.Level == core.LevelGroup {
			continue
		}
		neutral := map[core.Var]core.Operand{}
		for _, op := range h.Ops {
			for j, d := range op.Dests {
				neutral[d] = op.Neutral[j]
			}
		}
		var fills []*core.Stm
		made := 0
		for _, f := range slices.Backward(stms[:i]) {
			if fillsWith(f, neutral) {
				fills, made = append(fills, f), made+len(f.Dst)
				continue
			}
			_, scalar := f.Exp.(core.Scalar)
			_, alloc := f.Exp.(*core.Alloc)
			if !scalar && !alloc {
				break
			}
		}
		if made == len(neutral) {
			slices.Reverse(fills)
			c.fills[h] = fills
			for _, f := range fills {
				c.delayed[f] = true
			}
		}
	}
}

// fillsWith reports whether a statement makes nothing but arrays whose elements are the constants that it is told.
func fillsWith(s *core.Stm, constants map[core.Var]core.Operand) bool {
	m, ok := s.Exp.(*core.SegMap)
	if !ok || len(s.Dst) == 0 || m.Level == core.LevelGroup || m.Space.Slot != 0 || len(m.Body.Stms) > 0 {
		return false
	}
	for i, d := range s.Dst {
		if x, ok := constants[d.Var]; !ok || !x.IsConst() || m.Body.Res[i] != x {
			return false
		}
	}
	return true
}

// fill generates what makes the destinations, if that has been left to the histogram.
func (h *histogram) fill() {
	if h.filled {
		return
	}
	for _, s := range h.c.fills[h.e] {
		saved := h.c.where
		if s.Aux.Where != nil {
			h.c.where = s.Aux.Where
		}
		h.c.segMap(s, s.Exp.(*core.SegMap))
		h.c.where = saved
	}
}

// combines reports whether forms of a way leave copies of the bins, which another launch combines.
func combines(f core.Form) bool {
	switch f.Way { //nolint:exhaustive // the others update the result
	case core.WayPrivate, core.WayJoin, core.WayChain, core.WayChainCopies, core.WayChainSpread, core.WaySpread, core.WayOwn,
		core.WayRuns:
		return true
	default:
		return false
	}
}
