package lower

import (
	"slices"

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

const (
	transposeTile = 32 // rows and columns of a tile
	thinMatrix    = 16 // sizes below which most of a tile would be outside
)

// transposed generates a copy by tiles, if its ends lie side by side along different dimensions, and otherwise where these are short. It
// reports whether it did.
func (c *hostBuilder) transposed(dst, src core.Type, otherwise func()) bool {
	across, along := besides(dst), besides(src)
	if across < 0 || along < 0 || across == along || c.l.facts.Software || c.l.oneThread {
		return false
	}
	if c.l.facts.Words && dst.Elem.Size() < 4 {
		return false
	}
	const words = transposeTile * (transposeTile + 1)
	size := min(c.l.facts.GroupSize, transposeTile*8)
	if size%transposeTile != 0 || words*c.l.facts.SharedSize(dst.Elem) > c.l.facts.SharedBytes {
		return false
	}
	wide := func(d int) imp.Exp {
		return fold(less(imp.I64, i64(thinMatrix-1), asPrim(c.operand(dst.Shape[d]))))
	}
	c.choose(both(wide(across), wide(along)), func() { c.transpose(dst, src, across, along, size) }, otherwise)
	return true
}

// besides is the dimension along which the elements of an array lie side by side, or -1.
func besides(t core.Type) int {
	return slices.IndexFunc(t.Layout.Strides, func(s core.Poly) bool { n, ok := s.Const(); return ok && (n == 1 || n == -1) })
}

// transpose generates the copy by workgroups of size threads; elements lie together along dimension across of dst, and along of src.
func (c *hostBuilder) transpose(dst, src core.Type, across, along, size int) {
	tilesOf := func(d int) imp.Exp {
		return c.let("tiles", imp.I64, ceilDiv(imp.I64, asPrim(c.operand(dst.Shape[d])), i64(transposeTile)))
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
		m := k.shared("tile", imp.Of(dst.Elem), transposeTile*(transposeTile+1))
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
		row0 := k.let("row0", imp.Idx, mul(imp.Idx, quot(imp.Idx, within, n), idx(transposeTile)))
		col0 := k.let("col0", imp.Idx, mul(imp.Idx, rem(imp.Idx, within, n), idx(transposeTile)))
		x := k.let("x", imp.Idx, rem(imp.Idx, id(imp.LocalID), idx(transposeTile)))
		y := k.let("y", imp.Idx, quot(imp.Idx, id(imp.LocalID), idx(transposeTile)))
		rows, cols := k.index(dst.Shape[across]), k.index(dst.Shape[along])
		from, to := k.mem(src.Layout.Mem), k.mem(dst.Layout.Mem)
		step := size / transposeTile
		read := make([]imp.Exp, transposeTile/step)
		for r := range read { // all loads are under way before the first element is needed
			is[across] = inside(add(imp.Idx, row0, add(imp.Idx, y, idx(int64(r*step)))), rows)
			is[along] = inside(add(imp.Idx, col0, x), cols)
			read[r] = k.load("x", from, k.place(src.Layout, is)).exp
		}
		for r := range read {
			k.store(m, add(imp.Idx, mul(imp.Idx, add(imp.Idx, y, idx(int64(r*step))), idx(transposeTile+1)), x), read[r])
		}
		k.emit(&imp.Barrier{})
		is[across] = k.let("row", imp.Idx, add(imp.Idx, row0, x))
		for r := range read {
			is[along] = k.let("col", imp.Idx, add(imp.Idx, col0, add(imp.Idx, y, idx(int64(r*step)))))
			k.ifThen(and(less(imp.Idx, is[across], rows), less(imp.Idx, is[along], cols)), func() {
				at := add(imp.Idx, mul(imp.Idx, x, idx(transposeTile+1)), add(imp.Idx, y, idx(int64(r*step))))
				k.store(to, k.place(dst.Layout, is), k.load("x", m, at).exp)
			})
		}
	})
}

// mapCopies reports whether a segmented map copies elements of an array, each at its own place, and returns these elements as an array.
func (c *hostBuilder) mapCopies(s *core.Stm, e *core.SegMap) (src core.Type, ok bool) {
	if len(e.Body.Stms) != 1 || len(s.Dst) != 1 || !s.Dst[0].Type.IsArray() || len(e.Space.Ids) < 2 || e.Space.Slot != 0 {
		return core.Type{}, false
	}
	read, ok := e.Body.Stms[0].Exp.(*core.Index)
	d := e.Body.Stms[0].Dst[0]
	if !ok || !d.Type.IsScalar() || !e.Body.Res[0].IsVar(d.Var) {
		return core.Type{}, false
	}
	from := c.l.types[read.Array]
	at := sliceLayout(from, read.Slice).Layout.Offset
	strides := make([]core.Poly, len(e.Space.Ids))
	var rest core.Poly
	for _, term := range at.Terms {
		one := core.Poly{Terms: []core.Term{term}}
		ids := slices.DeleteFunc(slices.Clone(term.Vars), func(v core.Var) bool { return !slices.Contains(e.Space.Ids, v) })
		switch len(ids) {
		case 0:
			rest = rest.Add(one)
		case 1:
			others := slices.DeleteFunc(slices.Clone(term.Vars), func(v core.Var) bool { return v == ids[0] })
			d := slices.Index(e.Space.Ids, ids[0])
			strides[d] = strides[d].Add(core.Poly{Terms: []core.Term{{Coef: term.Coef, Vars: others}}})
		default:
			return core.Type{}, false
		}
	}
	layout := &core.Layout{Mem: from.Layout.Mem, Offset: rest, Strides: strides}
	return core.Type{Kind: core.KindArray, Elem: from.Elem, Shape: e.Space.Sizes, Layout: layout}, true
}
