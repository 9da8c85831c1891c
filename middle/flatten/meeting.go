package flatten

import (
	"slices"

	"skald/middle/core"
)

// Note [Updates that meet]
// ~~~~~~~~~~~~~~~~~~~~~~~~
// Where all points along a dimension of a kernel update the same element of an accumulator, they do it one after the other, each by an
// atomic operation. The derivatives of what all points read are of this kind, of weights say:
//
//	segmap (i < n, j < d) {… updateacc acc [j] (x) }
//
// An accumulator takes its updates in any order and grouping, so a reduction along the dimension combines them first, and its results are
// updates that do not meet:
//
//	let rs = segred (j < d, i < n) ops {… x }
//	segmap (j < d) { updateacc acc [j] (rs[j]) }
//
// That is done for one dimension after the other, innermost first, in kernels that do nothing but update, each accumulator once and in any
// case. The code that computes the indices tells which dimensions they depend on; it is copied into the kernel of the updates, so it is
// scalar code and views.
//
// Note [Updates in loops and branches] makes such kernels of others. Threads that go through a loop of updates, as those of an outer
// version do, remain; costs know that they meet (threadCost).

// reduced makes a kernel of updates that meet a reduction and a kernel of updates that meet less, if it is one.
func (f *flattener) reduced(m *core.SegMap, outs []core.Param) bool {
	ups, ok := f.updatesOf(m, outs)
	if !ok {
		return false
	}
	indices := &core.VarSet{}
	for _, s := range ups {
		for _, at := range s.Exp.(*core.UpdateAcc).Index {
			if at.Var != 0 {
				indices.Add(at.Var)
			}
		}
	}
	where := core.Needed(m.Body.Stms, indices)
	if slices.ContainsFunc(where, func(s *core.Stm) bool { return !isScalarOrView(s.Exp) }) {
		return false
	}
	along := -1 // the innermost dimension that no index depends on
	for d, id := range m.Space.Ids {
		if size, known := m.Space.Sizes[d].ConstInt(); !indices.Has(id) && (!known || size > 1) {
			along = d
		}
	}
	if along < 0 {
		return false
	}
	f.updateBy(f.reduceAlong(m, ups, along), m, ups, where, along, outs)
	return true
}

func isScalarOrView(e core.Exp) bool {
	switch core.Match(e).(type) {
	case core.Scalar, core.View:
		return true
	default:
		return false
	}
}

// updatesOf finds the updates of a kernel that has no results but accumulators, each of which its points update once, whatever they
// compute.
func (f *flattener) updatesOf(m *core.SegMap, outs []core.Param) ([]*core.Stm, bool) {
	if m.Level != core.LevelGrid || len(outs) == 0 {
		return nil, false
	}
	made := map[core.Var]*core.Stm{}
	for _, s := range m.Body.Stms {
		for _, p := range s.Dst {
			made[p.Var] = s
		}
	}
	all := 0
	core.Walk(m.Body, func(s *core.Stm) bool {
		if _, ok := s.Exp.(*core.UpdateAcc); ok {
			all++
		}
		return true
	})
	var ups []*core.Stm
	for i, o := range outs {
		s := made[m.Body.Res[i].Var]
		if o.Type.Kind != core.KindAcc || s == nil {
			return nil, false
		}
		up, ok := s.Exp.(*core.UpdateAcc)
		if !ok || made[up.Acc] != nil || f.accs[o.Type.Acc].Op == nil {
			return nil, false
		}
		ups = append(ups, s)
	}
	return ups, all == len(ups)
}

// reduceAlong adds the reduction of what the points of a kernel update with along a dimension, and returns its results: scalars, or arrays
// over the other dimensions.
func (f *flattener) reduceAlong(m *core.SegMap, ups []*core.Stm, along int) []core.Param {
	red := &core.SegRed{Level: m.Level, Space: core.Space{
		Ids:   append(without(m.Space.Ids, along), m.Space.Ids[along]),
		Sizes: append(without(m.Space.Sizes, along), m.Space.Sizes[along]),
	}, Body: &core.Body{}}
	for _, s := range m.Body.Stms {
		if !slices.Contains(ups, s) {
			red.Body.Stms = append(red.Body.Stms, s)
		}
	}
	for _, s := range ups {
		op := f.accs[s.Dst[0].Type.Acc]
		l := core.RenameLambda(f.Fun, op.Op)
		f.Scope.BindLambda(l)
		red.Ops = append(red.Ops, core.Operator{Lambda: l, Neutral: op.Neutral, Commutative: true})
		red.Body.Res = append(red.Body.Res, s.Exp.(*core.UpdateAcc).Values...)
		red.Ret = append(red.Ret, l.Ret...)
	}
	sums := make([]core.Param, len(red.Ret))
	for i, t := range red.Ret {
		sums[i] = f.Param("sum", core.ArrayOf(t, without(m.Space.Sizes, along)...))
	}
	f.Bind(sums, red)
	return sums
}

// updateBy adds the kernel that updates with what a reduction along a dimension has left.
func (f *flattener) updateBy(sums []core.Param, m *core.SegMap, ups, where []*core.Stm, along int, outs []core.Param) {
	n, sub := &nest{}, core.Subst{}
	for d, id := range m.Space.Ids {
		if d != along {
			fresh := f.Param(f.Fun.Base(id), core.I64).Var
			sub[id], n = core.V(fresh), n.extend(fresh, m.Space.Sizes[d])
		}
	}
	ids := core.Vars(n.ids)
	if len(ids) == 0 {
		n = n.extend(f.Param("i", core.I64).Var, core.Int(1)) // only kernels update
	}
	in := f.Nested()
	r := core.NewRenamer(f.Fun, f.Fun, sub)
	for _, s := range where {
		in.Add(r.Stm(s))
	}
	res := make([]core.Operand, len(ups))
	for i, s := range ups {
		up := s.Exp.(*core.UpdateAcc)
		next := &core.UpdateAcc{Acc: up.Acc}
		for _, at := range up.Index {
			next.Index = append(next.Index, r.Operand(at))
		}
		for range up.Values {
			x := core.V(sums[0].Var)
			if len(ids) > 0 {
				x = in.Index("x", sums[0].Var, ids...)
			}
			next.Values, sums = append(next.Values, x), sums[1:]
		}
		acc := f.Param("acc", outs[i].Type)
		in.Bind([]core.Param{acc}, next)
		res[i] = core.V(acc.Var)
	}
	f.segMap(n.binding(in.Stms()...), in.Stms(), res, outs)
}

// without are the elements of a list but one.
func without[T any](xs []T, k int) []T { return slices.Delete(slices.Clone(xs), k, k+1) }
