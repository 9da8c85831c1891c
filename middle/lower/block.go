package lower

import (
	"skald/middle/choose"
	"skald/middle/core"
	"skald/middle/imp"
)

// mapBlocks generates a segmented map whose workgroups take blocks of points (Note [Blocks of points] of package choose) where the sizes
// suit, and otherwise where they do not.
func (c *hostBuilder) mapBlocks(s *core.Stm, e *core.SegMap, f core.Form, otherwise func()) {
	sizes := e.Space.Sizes
	last := len(sizes) - 1
	across, _ := choose.ReadAcross(e, c.l.typeOf)
	suits := c.condition(f.When, folding, func(m core.Measure) imp.Exp {
		if m == core.MeasureAcross {
			return asPrim(c.operand(sizes[last]))
		}
		return asPrim(c.operand(sizes[across]))
	})
	c.choose(suits, func() {
		c.mapOnce(s, func() {
			c.inBlocks(f, sizes, across, func(k *kernelBuilder, is []imp.Exp) { k.mapBody(s, e, is) })
		})
	}, otherwise)
}

// inBlocks generates a kernel whose workgroups take blocks of points of a shape: Side of its last dimension, and as many of another one as
// leave each thread one.
func (c *hostBuilder) inBlocks(form core.Form, shape []core.Operand, across int, f func(k *kernelBuilder, is []imp.Exp)) {
	size, side, last := form.Group, form.Side, len(shape)-1
	blocksOf := func(d, n int) imp.Exp {
		return c.let("blocks", imp.I64, ceilDiv(imp.I64, asPrim(c.operand(shape[d])), i64(int64(n))))
	}
	down, beside := blocksOf(across, size/side), blocksOf(last, side)
	var outer []int
	var rest []core.Operand
	for d, n := range shape[:last] {
		if d != across {
			outer, rest = append(outer, d), append(rest, n)
		}
	}
	each := c.let("each", imp.I64, mul(imp.I64, down, beside))
	groups := c.let("groups", imp.I64, mul(imp.I64, each, c.total(rest)))
	total := c.let("points", imp.I64, c.total(shape))
	c.kernel("map", size, groups, func(k *kernelBuilder, l *imp.Launch) {
		l.Fits = append(l.Fits, total)
		is := make([]imp.Exp, len(shape))
		within := id(imp.GroupID)
		if len(outer) > 0 {
			n := k.hostParam("each", each)
			for i, at := range k.unflatten(k.let("batch", imp.Idx, quot(imp.Idx, within, n)), rest) {
				is[outer[i]] = at
			}
			within = k.let("within", imp.Idx, rem(imp.Idx, within, n))
		}
		n, width := k.hostParam("beside", beside), idx(int64(side))
		point := func(block, own imp.Exp, most int) imp.Exp {
			return k.let("i", imp.Idx, add(imp.Idx, mul(imp.Idx, block, idx(int64(most))), own))
		}
		is[across] = point(quot(imp.Idx, within, n), quot(imp.Idx, id(imp.LocalID), width), size/side)
		is[last] = point(rem(imp.Idx, within, n), rem(imp.Idx, id(imp.LocalID), width), side)
		inside := and(less(imp.Idx, is[across], k.index(shape[across])), less(imp.Idx, is[last], k.index(shape[last])))
		k.ifThen(inside, func() { f(k, is) })
	})
}
