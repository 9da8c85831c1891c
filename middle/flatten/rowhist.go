package flatten

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// outerSizes are the sizes of the outermost dimensions of a histogram's destinations.
func outerSizes(e *core.Hist) []core.Operand {
	sizes := make([]core.Operand, len(e.Ops))
	for i, op := range e.Ops {
		sizes[i] = op.Shape[0]
	}
	return sizes
}

// irregularHist reports whether a histogram inside n goes over rows of different lengths, or has as many bins, by operators on scalars
// that are the same at all points, or can be made so.
func (f *flattener) irregularHist(n *nest, e *core.Hist) bool {
	if !n.variant(e.Size) && !slices.ContainsFunc(outerSizes(e), n.variant) {
		return false
	}
	for _, op := range e.Ops {
		if !f.closes(n, op.Lambda) || slices.ContainsFunc(op.Shape[1:], n.variant) {
			return false
		}
		for _, d := range op.Dests {
			if !slices.Equal(f.TypeOf(core.V(d)).Shape, op.Shape) {
				return false
			}
		}
	}
	return true
}

// histRows makes a histogram at each point of n one of all elements: into the bins of all points, if there are equally many at each, or
// into all rows of bins. ok is false, and nothing is made, if its operators cannot be the same at all points.
func (f *flattener) histRows(n *nest, e *core.Hist, dst []core.Param) (m *nest, ok bool) {
	c, ok := f.closeHist(n, e)
	if !ok {
		return n, false
	}
	in := f.Nested()
	if n.variant(e.Size) {
		r := n.rowsOf(e.Size)
		all, _, j := f.expanded(n, r.offsets)
		m = f.elementsOf(all, r, j, e.Bucket.Params, e.Arrays)
	} else {
		all, j := f.oneDimension(n, e.Size)
		for i, p := range e.Bucket.Params {
			f.element(in, p, e.Arrays[i], j)
		}
		m = all.with(in.Stms()...)
		in = f.Nested()
	}
	ops := slices.Clone(e.Ops)
	at, values := c.res[:len(c.res)-c.width()], c.res[len(c.res)-c.width():]
	var to []core.Operand
	for i, op := range e.Ops {
		mine := at[:len(op.Shape)]
		at = at[len(op.Shape):]
		if bins := n.rowsOf(op.Shape[0]); bins == nil {
			ops[i].Shape, ops[i].Dests = slices.Concat(n.sizes, op.Shape), append(f.marks(n, op.Shape, c.ops[i]), f.consumed(n, op.Dests)...)
			to = append(append(to, core.Vars(n.ids)...), mine...)
		} else {
			ops[i].Shape, ops[i].Dests = append([]core.Operand{bins.total}, op.Shape[1:]...), nil
			if c.ops[i].flagged {
				all, _, _ := f.expanded(n, bins.offsets)
				ops[i].Dests = f.marks(all, op.Shape[1:], c.ops[i])
			}
			for _, d := range op.Dests {
				ops[i].Dests = append(ops[i].Dests, f.allRows(n, bins, d, nil))
			}
			to = append(append(to, f.within(in, bins, mine[0])), mine[1:]...)
		}
	}
	stms := append(slices.Clip(e.Bucket.Body.Stms), in.Stms()...)
	sp, body, renamer := f.kernel(m, stms, append(to, values...))
	ret := slices.Repeat([]core.Type{core.I64}, len(to))
	var all, outs []core.Param
	for i, op := range ops {
		ops[i] = f.operatorOf(c.ops[i], renamer, op.Shape, op.Dests)
		mine := f.likeAll(op.Dests)
		all, outs = append(all, mine...), append(outs, mine[c.ops[i].extra():]...)
	}
	f.Bind(all, &core.SegHist{Level: core.LevelGrid, Space: sp, Ops: ops, Body: body, Ret: append(ret, c.ret[len(c.ret)-c.width():]...)})
	return f.binsOf(n, e, dst, outs), true
}

// binsOf makes known, at the points of n, the bins of a histogram of all points.
func (f *flattener) binsOf(n *nest, e *core.Hist, dst, all []core.Param) *nest {
	for _, op := range e.Ops {
		k := len(op.Dests)
		if bins := n.rowsOf(op.Shape[0]); bins != nil {
			n = f.rowsAt(n, bins, dst[:k], all[:k])
		} else {
			n = n.with(f.reading(n, dst[:k], all[:k])...)
		}
		dst, all = dst[k:], all[k:]
	}
	return n
}

// within is the index, in all rows, of element i of the row at a point; outside of its row it is one that is ignored.
func (f *flattener) within(b *core.Builder, r *rows, i core.Operand) core.Operand {
	inside := b.Bin(prim.LogAnd, b.Cmp(prim.Le, core.Int(0), i), b.Cmp(prim.Lt, i, r.size))
	return b.If("at", inside, []core.Type{core.I64}, func(b *core.Builder) []core.Operand {
		return []core.Operand{b.Add64(r.start, i)}
	}, func(*core.Builder) []core.Operand { return []core.Operand{core.Int(-1)} })[0]
}

// rowsOf are the rows of a size that are known at the points of n, or nil.
func (n *nest) rowsOf(size core.Operand) *rows {
	if i := slices.IndexFunc(n.rows, func(r *rows) bool { return r.size == size }); i >= 0 {
		return n.rows[i]
	}
	return nil
}
