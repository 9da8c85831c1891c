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
// that are the same at all points.
func (f *flattener) irregularHist(n *nest, e *core.Hist) bool {
	if !n.variant(e.Size) && !slices.ContainsFunc(outerSizes(e), n.variant) {
		return false
	}
	for _, op := range e.Ops {
		if !n.sameScalarOperator(op.Lambda, op.Neutral) || slices.ContainsFunc(op.Shape[1:], n.variant) {
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
// into all rows of bins.
func (f *flattener) histRows(n *nest, e *core.Hist, dst []core.Param) *nest {
	var m *nest
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
	ops, res := slices.Clone(e.Ops), e.Bucket.Body.Res
	count := 0
	for _, op := range e.Ops {
		count += len(op.Shape)
	}
	at, values := res[:count], res[count:]
	var to []core.Operand
	var all []core.Param
	for i, op := range e.Ops {
		l := f.sequentialLambda(op.Lambda)
		bins := n.rowsOf(op.Shape[0])
		mine := at[:len(op.Shape)]
		at = at[len(op.Shape):]
		if bins == nil {
			ops[i] = core.HistOp{Shape: slices.Concat(n.sizes, op.Shape), Dests: f.consumed(n, op.Dests), Neutral: op.Neutral, Lambda: l}
			to = append(append(to, core.Vars(n.ids)...), mine...)
		} else {
			ops[i] = core.HistOp{Shape: append([]core.Operand{bins.total}, op.Shape[1:]...), Neutral: op.Neutral, Lambda: l}
			for _, d := range op.Dests {
				ops[i].Dests = append(ops[i].Dests, f.allRows(n, bins, d, nil))
			}
			to = append(append(to, f.within(in, bins, mine[0])), mine[1:]...)
		}
		for _, d := range ops[i].Dests {
			all = append(all, f.Param(f.Fun.Base(d), f.TypeOf(core.V(d))))
		}
	}
	stms := append(slices.Clip(e.Bucket.Body.Stms), in.Stms()...)
	sp, body, renamer := f.kernel(m, stms, append(to, values...))
	ret := make([]core.Type, len(to), len(to)+len(values))
	for i := range ret {
		ret[i] = core.I64
	}
	for i, op := range ops {
		ops[i].Lambda = renamer.Lambda(op.Lambda)
		f.Scope.BindLambda(ops[i].Lambda)
		if !placeableOperator(ops[i].Lambda) {
			f.block("its operator makes an array of more than 64 elements, or of a size that is not constant")
		}
	}
	f.Bind(all, &core.SegHist{Level: core.LevelGrid, Space: sp, Ops: ops, Body: body, Ret: append(ret, e.Bucket.Ret[count:]...)})
	return f.binsOf(n, e, dst, all)
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
