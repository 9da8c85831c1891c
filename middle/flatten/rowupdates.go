package flatten

import (
	"slices"

	"skald/middle/core"
)

// irregularAcc reports whether a WithAcc inside n updates rows of different lengths by operators that are the same at all points.
func (f *flattener) irregularAcc(n *nest, e *core.WithAcc) bool {
	if len(e.Inputs) == 0 || len(e.Lambda.Ret) != len(e.Inputs) || !hasParallelism(e) && !onlyUpdates(e) {
		return false
	}
	for _, in := range e.Inputs {
		if len(in.Shape) != 1 || n.invariant(in.Shape[0]) || slices.ContainsFunc(in.Neutral, n.variant) || !n.sharedOperator(in) {
			return false
		}
		if slices.ContainsFunc(in.Arrays, func(a core.Var) bool { return f.TypeOf(core.V(a)).Rank() != 1 }) {
			return false
		}
	}
	return true
}

// withoutScratch divides statements into those that make rows for a WithAcc to fill, and others.
func withoutScratch(stms []*core.Stm, e *core.WithAcc) (others, scratch []*core.Stm) {
	for _, s := range stms {
		if _, is := s.Exp.(*core.Scratch); is && slices.Contains(core.Consumes(e), s.Dst[0].Var) {
			scratch = append(scratch, s)
		} else {
			others = append(others, s)
		}
	}
	return others, scratch
}

// lateScratch are statements inside n, of which those that make rows of different lengths for others to fill come where these are first
// used: no kernel before has to keep them.
func (n *nest) lateScratch(stms []*core.Stm) []*core.Stm {
	n = n.binding(stms...)
	var out, waiting []*core.Stm
	for _, s := range stms {
		if _, ok := s.Exp.(*core.Scratch); ok && !n.regular(s.Dst) {
			waiting = append(waiting, s)
			continue
		}
		if len(waiting) > 0 {
			uses := core.FreeInStm(s)
			waiting = slices.DeleteFunc(waiting, func(w *core.Stm) bool {
				used := bindsFirst(w, uses)
				if used {
					out = append(out, w)
				}
				return used
			})
		}
		out = append(out, s)
	}
	return append(out, waiting...)
}

// updateRows makes a WithAcc of rows one of all elements. Scratch makes those that say nothing yet.
func (f *flattener) updateRows(n *nest, e *core.WithAcc, dst []core.Param, scratch []*core.Stm) *nest {
	inputs, body := slices.Clone(e.Inputs), e.Lambda.Body
	results := make([]core.Param, len(inputs))
	var all []core.Param
	var each []*rows // of all
	for i, in := range inputs {
		r := n.rowsOf(in.Shape[0])
		arrays := make([]core.Var, len(in.Arrays))
		for k, a := range in.Arrays {
			arrays[k] = f.allRows(n, r, a, scratch)
			all = append(all, f.Param(f.Fun.Base(a), f.TypeOf(core.V(arrays[k]))))
			each = append(each, r)
		}
		inputs[i].Arrays, inputs[i].Shape = arrays, []core.Operand{r.total}
		if in.Op != nil {
			inputs[i].Op = f.sequentialLambda(in.Op)
		}
		body = f.updatesInRows(body, e.Lambda.Params[i].Var, r)
		results[i] = f.Param("acc", e.Lambda.Ret[i])
	}
	host := f.builtBody(core.Vars(core.ParamVars(results)), func() {
		f.Scope.BindAll(e.Lambda.Params)
		f.distribute(n, body, results)
	})
	f.Bind(all, &core.WithAcc{Inputs: inputs, Lambda: &core.Lambda{Params: e.Lambda.Params, Body: host, Ret: e.Lambda.Ret}})
	for i, r := range each {
		n = f.rowsAt(n, r, dst[i:i+1], all[i:i+1])
	}
	return n
}

// allRows is an array of all rows that may be overwritten: that of a result, which nobody reads later, a copy, or one that says nothing.
func (f *flattener) allRows(n *nest, r *rows, row core.Var, scratch []*core.Stm) core.Var {
	if i := slices.IndexFunc(r.arrays, func(a flatArray) bool { return a.row == row }); i >= 0 {
		return r.arrays[i].all
	}
	t := f.TypeOf(core.V(row))
	if boundIn(&core.Body{Stms: scratch}, row) {
		return f.LetVar(f.Fun.Base(row), &core.Scratch{Elem: t.Elem, Shape: append([]core.Operand{r.total}, t.Shape[1:]...)})
	}
	m, _, j := f.expanded(n, r.offsets)
	in := f.Nested()
	x := f.elements(in, []core.Var{row}, j)[0]
	out := f.Param(f.Fun.Base(row), core.ArrayOf(t.Row(1), r.total))
	f.copies(m.with(in.Stms()...), x, []core.Param{out})
	return out.Var
}

// updatesInRows makes updates of an accumulator of rows ones of all rows: an index outside of its row stays one that is ignored.
func (f *flattener) updatesInRows(b *core.Body, acc core.Var, r *rows) *core.Body {
	return f.mapUpdates(b, acc, func(in *core.Builder, s *core.Stm, up *core.UpdateAcc) {
		at := []core.Operand{f.within(in, r, up.Index[0])}
		in.Add(&core.Stm{Dst: s.Dst, Exp: &core.UpdateAcc{Acc: up.Acc, Index: at, Values: up.Values}, Aux: s.Aux})
	})
}

// irregularUpdate reports whether an update in place inside n changes rows of different lengths whose elements are scalars.
func (f *flattener) irregularUpdate(n *nest, e *core.Update) bool {
	t := f.TypeOf(core.V(e.Array))
	return t.Rank() == 1 && n.variant(t.Shape[0])
}

// accOfUpdate is an update in place as one by an accumulator, element by element.
func (f *flattener) accOfUpdate(b *core.Builder, e *core.Update) *core.WithAcc {
	acc := b.Param("acc", core.Type{})
	acc.Type = core.AccType(acc.Var)
	b.Scope.BindAll([]core.Param{acc})
	l := b.LambdaOf([]core.Param{acc}, []core.Type{acc.Type}, func(b *core.Builder, _ []core.Operand) []core.Operand {
		return f.updateElements(b, acc, e.Slice, nil, e.Value)
	})
	return &core.WithAcc{Inputs: []core.AccInput{{Shape: b.TypeOf(core.V(e.Array)).Shape, Arrays: []core.Var{e.Array}}}, Lambda: l}
}

// updateElements adds updates of what a slice selects, under indices of the dimensions before, to the elements of a value.
func (f *flattener) updateElements(
	b *core.Builder, acc core.Param, sl core.Slice, under []core.Operand, value core.Operand,
) []core.Operand {
	ret := []core.Type{acc.Type}
	switch {
	case len(sl) == 0:
		return b.LetTypes("acc", ret, &core.UpdateAcc{Acc: acc.Var, Index: under, Values: []core.Operand{value}})
	case sl[0].Fix:
		return f.updateElements(b, acc, sl[1:], append(slices.Clip(under), sl[0].Off), value)
	}
	is := f.iota(b, sl[0].Len)
	ts := []core.Type{core.I64, b.TypeOf(value).Row(1)}
	l := b.Lambda("x", ts, ret, func(b *core.Builder, ps []core.Operand) []core.Operand {
		i := b.Add64(sl[0].Off, b.Mul64(ps[0], sl[0].Stride))
		return f.updateElements(b, acc, sl[1:], append(slices.Clip(under), i), ps[1])
	})
	return b.LetTypes("acc", ret, &core.Screma{Size: sl[0].Len, Arrays: []core.Var{is, value.Var}, Map: l})
}

// onlyUpdates reports whether a WithAcc does nothing but update its accumulators, once each.
func onlyUpdates(e *core.WithAcc) bool {
	return !slices.ContainsFunc(e.Lambda.Body.Stms, func(s *core.Stm) bool {
		_, ok := s.Exp.(*core.UpdateAcc)
		return !ok
	})
}
