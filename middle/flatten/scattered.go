package flatten

import (
	"slices"

	"skald/middle/core"
	"skald/middle/facts"
	"skald/middle/pass"
	"skald/runtime/prim"
)

// Note [Updates at indices that were read]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// Points that update an accumulator at indices which they have read meet where the data say so: the derivative of a table, or of the rows
// of an embedding, gets its updates where the table was read. Each of them is an atomic operation, so a small table makes all threads wait
// for each other. A histogram has copies of such bins (Note [Tables and copies] of package choose); an accumulator takes its updates in
// any grouping, so a histogram of what a kernel updates with combines them first, and its bins update once each:
//
//	let hs = segmap (k < m) { neutral }
//	let hs = seghist (i < n) ops ([m] (hs) op) {… is[i], x }
//	segmap (k < m) { updateacc acc [k] (hs[k]) }
//
// That is done, as the sizes say when the program runs, where elements get some updates each in the mean (meanUpdates). A kernel that is
// straight code and makes one update becomes the histogram. Of others the points keep the indices and what they update with, as in Note
// [Updates in loops and branches], and each update of an accumulator is one more histogram into the same bins; where there are too many
// bins a kernel updates by what was kept. A point that does not update has an index that is ignored. Where the device has no atomic
// operation to update elements by, updates that may meet run in one thread (Note [Updates of shared elements] of package choose), so there
// it is always a histogram.
//
// Dimensions of the points that the index begins with are segments of the histogram, of a batch say; the others are one dimension.
// Indices that scalar code folds, as i % 16, are treated like those that were read.

// meanUpdates is how many updates an element gets in the mean, at least, where updates are a histogram. With two each, of 10^6 points at
// 10^6 places, the histograms of a kernel with two updates took 203 us through WebGPU and 81 on CUDA, and the updates 121 and 47 (H200,
// f64, 2026-11-27); with 488 each 260 and 102, and the updates 1,617 and 74; with 125,000 each 143 and 70, and over 6 s and 900.
const meanUpdates = 8

// folds reports whether scalar code makes one number of many, and not at the ends of arrays alone, as where stencils stop.
func folds(s *core.Stm) bool {
	e, ok := s.Exp.(*core.Bin)
	if !ok {
		return false
	}
	switch e.Op { //nolint:exhaustive // the others do
	case prim.Add, prim.Sub, prim.Mul, prim.Min, prim.Max:
		return false
	default:
		return true
	}
}

// reads reports whether a statement reads an array.
func reads(s *core.Stm) bool {
	is := func(e core.Exp) bool { _, ok := e.(*core.Index); return ok }
	return core.Any(&core.Body{Stms: []*core.Stm{s}}, is)
}

// straight reports whether a body has no loops.
func straight(b *core.Body) bool {
	return !core.Any(b, func(e core.Exp) bool { _, loop := e.(*core.Loop); return loop })
}

// either adds the version of updates of an accumulator with a histogram, if these are so many that this pays, or the other one. Where the
// device has no atomic operation to update elements by, one thread would make all updates, so there the histogram always pays.
func (l *later) either(ups []*laterUpdate, outs []core.Param, hist, other func([]core.Param)) {
	acc := l.accs[ups[0].acc]
	if !l.atomic(acc.Op) {
		hist(outs)
		return
	}
	points, all := l.Product(l.m.Space.Sizes...), core.Int(0)
	for _, u := range ups {
		all = l.Add64(all, l.times(u, points))
	}
	many := l.Cmp(cmpLe, l.Mul64(l.Product(acc.Shape...), core.Int(meanUpdates)), all)
	otherwise := l.version(outs, other)
	l.guard(outs, many, l.version(outs, hist), otherwise)
}

// atomic reports whether the device updates elements in device memory by an operator in one step, or by a compare-and-swap loop. For those
// of 32 bits, which all devices do, it does not ask, so that nothing that is kept depends on the answer.
func (f *flattener) atomic(op *core.Lambda) bool {
	if len(op.Ret) != 1 {
		return false
	}
	by, _, single := op.Single()
	t := op.Ret[0].Elem
	return t.Bits() <= 32 || pass.Ask(f.ctx, func(d facts.Facts) bool { return d.Updates(t) || single && d.AtomicOp(by, t) })
}

// histogramOfPoints makes a histogram of the kernel, whose only update is scattered, and a kernel of updates by its bins.
func (l *later) histogramOfPoints(outs []core.Param) {
	in, ups := l.without(l.m.Body)
	u, n := ups[0], &nest{}
	for d, id := range l.m.Space.Ids {
		n = n.extend(id, l.m.Space.Sizes[d])
	}
	sub := core.Subst{}
	for i, d := range u.kept {
		sub[u.index[d].Var] = u.values[i]
	}
	index := l.indexOf(in, u, sub)
	bins := l.histogram(n, u, in, index, u.values[len(u.kept):], l.emptyBins(u))
	l.updating(func() { l.updateByBins(u, bins, l.before(outs[0].Type), outs[0]) })
}

// scattered adds what updates an accumulator by arrays of indices and values: histograms into the same bins and a kernel of updates by
// these, or kernels of updates where bins are too many.
func (l *later) scattered(ups []*laterUpdate, arrays [][]core.Var, acc core.Var, next core.Param) {
	l.either(ups, []core.Param{next}, func(outs []core.Param) {
		bins := l.emptyBins(ups[0])
		for i, u := range ups {
			n, in, sub, values := l.reading(u, arrays[i])
			bins = l.histogram(n, u, in, l.indexOf(in, u, sub), values, bins)
		}
		l.updateByBins(ups[0], bins, acc, outs[0])
	}, func(outs []core.Param) {
		acc := acc
		for i, u := range ups {
			to := outs[0]
			if i < len(ups)-1 {
				to = l.Param("acc", next.Type)
			}
			l.updates(u, arrays[i], acc, to)
			acc = to.Var
		}
	})
}

// emptyBins makes arrays of neutral elements as large as an update's accumulator.
func (l *later) emptyBins(u *laterUpdate) []core.Var {
	acc, n := l.accs[u.acc], l.elementsOf(u)
	bins := make([]core.Param, len(acc.Neutral))
	for i, t := range acc.Op.Ret {
		bins[i] = l.Param("bins", core.ArrayOf(t, acc.Shape...))
	}
	l.segMap(n, nil, acc.Neutral, bins)
	return core.ParamVars(bins)
}

// histogram adds the histogram, into some bins, of what code that computes indices and values returns at the points of n.
func (l *later) histogram(n *nest, u *laterUpdate, in *core.Builder, index, values []core.Operand, bins []core.Var) []core.Var {
	acc, d := l.accs[u.acc], 0
	for d < min(len(n.ids), len(index))-1 && index[d].IsVar(n.ids[d]) && acc.Shape[d] == n.sizes[d] {
		d++
	}
	stms := in.Stms()
	if rest := (&nest{ids: n.ids[d:], sizes: n.sizes[d:]}); rest.depth() > 1 {
		all, ids := l.Param("k", core.I64).Var, l.Nested()
		l.bindPoint(ids, rest, core.V(all))
		stms = slices.Concat(ids.Stms(), stms)
		n = &nest{ids: append(slices.Clip(n.ids[:d]), all), sizes: append(slices.Clip(n.sizes[:d]), l.Product(rest.sizes...))}
	}
	op := core.RenameLambda(l.Fun, acc.Op)
	l.Scope.BindLambda(op)
	outs := l.likeAll(bins)
	l.Bind(outs, &core.SegHist{
		Level: core.LevelGrid, Space: core.Space{Ids: n.ids, Sizes: n.sizes},
		Ops:  []core.HistOp{{Shape: acc.Shape[d:], Dests: bins, Neutral: acc.Neutral, Lambda: op}},
		Body: &core.Body{Stms: stms, Res: slices.Concat(index[d:], values)},
		Ret:  slices.Concat(slices.Repeat([]core.Type{core.I64}, len(index)-d), op.Ret),
	})
	return core.ParamVars(outs)
}

// updateByBins adds the kernel that updates each element of an accumulator by what bins hold.
func (l *later) updateByBins(u *laterUpdate, bins []core.Var, acc core.Var, next core.Param) {
	n, in := l.elementsOf(u), l.Nested()
	up := &core.UpdateAcc{Acc: acc, Index: core.Vars(n.ids)}
	for _, b := range bins {
		up.Values = append(up.Values, in.Index("x", b, core.Vars(n.ids)...))
	}
	to := l.Param("acc", next.Type)
	in.Bind([]core.Param{to}, up)
	l.segMap(n.binding(in.Stms()...), in.Stms(), []core.Operand{core.V(to.Var)}, []core.Param{next})
}

// elementsOf is a nest of the elements of an update's accumulator.
func (l *later) elementsOf(u *laterUpdate) *nest {
	n := &nest{}
	for _, size := range l.accs[u.acc].Shape {
		n = n.extend(l.Param("i", core.I64).Var, size)
	}
	return n
}
