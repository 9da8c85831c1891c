package flatten

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// irregularAcc reports whether a WithAcc inside n updates rows of different lengths, of one length at each point, by operators that are the
// same at all points.
func (f *flattener) irregularAcc(n *nest, e *core.WithAcc) bool {
	if len(e.Inputs) == 0 || len(e.Inputs[0].Shape) == 0 {
		return false
	}
	size := e.Inputs[0].Shape[0]
	if n.invariant(size) || len(e.Lambda.Ret) != len(e.Inputs) || !hasParallelism(e) {
		return false
	}
	for _, in := range e.Inputs {
		if len(in.Shape) != 1 || in.Shape[0] != size || slices.ContainsFunc(in.Neutral, n.variant) || in.Op != nil && !n.closed(in.Op) {
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

// updateRows makes a WithAcc of rows one of all elements. Scratch makes those that say nothing yet.
func (f *flattener) updateRows(n *nest, r *rows, e *core.WithAcc, dst []core.Param, scratch []*core.Stm) *nest {
	inputs, body := slices.Clone(e.Inputs), e.Lambda.Body
	results := make([]core.Param, len(inputs))
	var all []core.Param
	for i, in := range inputs {
		arrays := make([]core.Var, len(in.Arrays))
		for k, a := range in.Arrays {
			arrays[k] = f.allRows(n, r, a, scratch)
			all = append(all, f.Param(f.Fun.Base(a), f.TypeOf(core.V(arrays[k]))))
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
	return f.rowsOf(n, r, dst, all)
}

// allRows is an array of all rows that may be overwritten: that of a result, which nobody reads later, a copy, or one that says nothing.
func (f *flattener) allRows(n *nest, r *rows, row core.Var, scratch []*core.Stm) core.Var {
	if i := slices.IndexFunc(r.arrays, func(a flatArray) bool { return a.row == row }); i >= 0 {
		return r.arrays[i].all
	}
	t := f.TypeOf(core.V(row))
	if boundIn(&core.Body{Stms: scratch}, row) {
		return f.LetVar(f.Fun.Base(row), &core.Scratch{Elem: t.Elem, Shape: []core.Operand{r.total}})
	}
	m, _, j := f.expanded(n, r.offsets)
	in := f.Nested()
	x := f.elements(in, []core.Var{row}, j)[0]
	out := f.Param(f.Fun.Base(row), core.ArrayOf(t.Row(1), r.total))
	f.segMap(m.binding(in.Stms()...), in.Stms(), []core.Operand{x}, []core.Param{out})
	return out.Var
}

// updatesInRows makes updates of an accumulator of rows ones of all rows: an index outside of its row stays one that is ignored.
func (f *flattener) updatesInRows(b *core.Body, acc core.Var, r *rows) *core.Body {
	return f.mapUpdates(b, acc, func(in *core.Builder, s *core.Stm, up *core.UpdateAcc) {
		inside := in.Bin(prim.LogAnd, in.Cmp(prim.Le, core.Int(0), up.Index[0]), in.Cmp(prim.Lt, up.Index[0], r.size))
		at := in.If("at", inside, []core.Type{core.I64}, func(b *core.Builder) []core.Operand {
			return []core.Operand{b.Add64(r.start, up.Index[0])}
		}, func(*core.Builder) []core.Operand { return []core.Operand{core.Int(-1)} })
		in.Add(&core.Stm{Dst: s.Dst, Exp: &core.UpdateAcc{Acc: up.Acc, Index: at, Values: up.Values}, Aux: s.Aux})
	})
}
