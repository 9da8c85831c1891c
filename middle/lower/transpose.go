package lower

import (
	"skald/middle/choose"
	"skald/middle/core"
	"skald/middle/imp"
)

// Note [Transpositions]
//
// Where what lies together in the source of a copy does not lie together in its destination, threads that read neighbours write far from
// each other. So tiles go through workgroup memory: a workgroup reads one row by row and writes it column by column. Rows of the tile
// are one element longer than they need to be, so that a column meets each bank once (Ruetsch and Micikevicius, Optimizing Matrix
// Transpose in CUDA, 2009; testsuite/lab has variants). Where elements smaller than a word share words in memory, a store of one of them
// is an atomic operation on its word: tiles would save nothing there, and copies of such elements go point by point.

// transposed generates a copy by tiles where the sizes suit, and otherwise where they do not.
func (c *hostBuilder) transposed(f core.Form, dst, src core.Type, otherwise func()) {
	across, along := choose.Beside(dst), choose.Beside(src)
	suits := c.condition(f.When, folding, func(m core.Measure) imp.Exp {
		if m == core.MeasureAcross {
			return asPrim(c.operand(dst.Shape[across]))
		}
		return asPrim(c.operand(dst.Shape[along]))
	})
	c.choose(suits, func() { c.transpose(f, dst, src, across, along) }, otherwise)
}

// transpose generates the copy; elements lie together along dimension across of dst, and along of src.
func (c *hostBuilder) transpose(f core.Form, dst, src core.Type, across, along int) {
	size, side := f.Group, f.Side
	tilesOf := func(d int) imp.Exp {
		return c.let("tiles", imp.I64, ceilDiv(imp.I64, asPrim(c.operand(dst.Shape[d])), i64(int64(side))))
	}
	down, beside := tilesOf(across), tilesOf(along)
	var outer []int
	var shape []core.Operand
	for d, n := range dst.Shape {
		if d != across && d != along {
			outer, shape = append(outer, d), append(shape, n)
		}
	}
	each := c.let("each", imp.I64, mul(imp.I64, down, beside))
	groups := c.let("groups", imp.I64, mul(imp.I64, each, c.total(shape)))
	c.kernel("transpose", size, groups, func(k *kernelBuilder, l *imp.Launch) {
		l.Fits = append(l.Fits, c.total(dst.Shape))
		m := k.shared("tile", imp.Of(dst.Elem), side*(side+1))
		within := id(imp.GroupID)
		is := make([]imp.Exp, len(dst.Shape))
		if len(outer) > 0 {
			n := k.hostParam("each", each)
			for i, at := range k.unflatten(k.let("batch", imp.Idx, quot(imp.Idx, within, n)), shape) {
				is[outer[i]] = at
			}
			within = k.let("within", imp.Idx, rem(imp.Idx, within, n))
		}
		n := k.hostParam("beside", beside)
		row0 := k.let("row0", imp.Idx, mul(imp.Idx, quot(imp.Idx, within, n), idx(int64(side))))
		col0 := k.let("col0", imp.Idx, mul(imp.Idx, rem(imp.Idx, within, n), idx(int64(side))))
		x := k.let("x", imp.Idx, rem(imp.Idx, id(imp.LocalID), idx(int64(side))))
		y := k.let("y", imp.Idx, quot(imp.Idx, id(imp.LocalID), idx(int64(side))))
		rows, cols := k.index(dst.Shape[across]), k.index(dst.Shape[along])
		from, to := k.mem(src.Layout.Mem), k.mem(dst.Layout.Mem)
		step := size / side
		read := make([]imp.Exp, side/step)
		for r := range read { // all loads are under way before the first element is needed
			is[across] = inside(add(imp.Idx, row0, add(imp.Idx, y, idx(int64(r*step)))), rows)
			is[along] = inside(add(imp.Idx, col0, x), cols)
			read[r] = k.load("x", from, k.place(src.Layout, is)).exp
		}
		for r := range read {
			k.store(m, add(imp.Idx, mul(imp.Idx, add(imp.Idx, y, idx(int64(r*step))), idx(int64(side+1))), x), read[r])
		}
		k.emit(&imp.Barrier{})
		is[across] = k.let("row", imp.Idx, add(imp.Idx, row0, x))
		for r := range read {
			is[along] = k.let("col", imp.Idx, add(imp.Idx, col0, add(imp.Idx, y, idx(int64(r*step)))))
			k.ifThen(and(less(imp.Idx, is[across], rows), less(imp.Idx, is[along], cols)), func() {
				at := add(imp.Idx, mul(imp.Idx, x, idx(int64(side+1))), add(imp.Idx, y, idx(int64(r*step))))
				k.store(to, k.place(dst.Layout, is), k.load("x", m, at).exp)
			})
		}
	})
}
