package flatten

import (
	"cmp"
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// withAcc flattens a WithAcc on the host. Accumulators of rows become
// accumulators of their elements, so that an update of a row is parallel too and
// operators are on scalars: without an operator always, else when the operator
// maps one on scalars. Others are Note [Accumulators of one thread]'s.
func (f *flattener) withAcc(s *core.Stm, e *core.WithAcc) {
	e = f.ofElements(e)
	if updatesAlone(e) {
		if f.inGroup {
			f.block(combinesArrays)
		}
		outer := f.blocked
		f.blocked = ""
		f.inFewThreads("one thread", "the operator of its accumulator combines arrays, or makes large ones", func() { f.oneThread(e, s.Dst) })
		if f.blocked != "" && !f.inGroup {
			f.ctx.LimitAt(f.Where.Place(), "the operator of an accumulator combines arrays, or makes large ones, and where it is updated "+f.blocked)
		}
		f.blocked = cmp.Or(outer, f.blocked)
		return
	}
	inputs := slices.Clone(e.Inputs)
	for i, in := range inputs {
		if in.Op == nil {
			continue
		}
		outer := f.blocked
		f.blocked = ""
		inputs[i].Op = f.sequentialLambda(in.Op)
		if f.blocked != "" {
			f.ctx.LimitAt(f.Where.Place(), "the operator of an accumulator calls a recursive function")
		}
		f.blocked = outer
		f.accs[e.Lambda.Params[i].Var] = inputs[i]
	}
	l := &core.Lambda{Params: e.Lambda.Params, Body: f.hostBody(e.Lambda.Body), Ret: e.Lambda.Ret}
	f.Bind(s.Dst, &core.WithAcc{Inputs: inputs, Lambda: l})
}

// ofElements makes accumulators of rows those of their elements.
func (f *flattener) ofElements(e *core.WithAcc) *core.WithAcc {
	inputs, body := slices.Clone(e.Inputs), e.Lambda.Body
	for i, in := range e.Inputs {
		if spread, sizes, ok := f.elementwise(in); ok {
			inputs[i] = spread
			body = f.spreadUpdates(body, e.Lambda.Params[i].Var, sizes)
		}
	}
	return &core.WithAcc{Inputs: inputs, Lambda: &core.Lambda{Params: e.Lambda.Params, Body: body, Ret: e.Lambda.Ret}}
}

// elementwise returns the accumulator of the elements of an accumulator of rows,
// and the sizes of the rows.
func (f *flattener) elementwise(in core.AccInput) (out core.AccInput, sizes []core.Operand, ok bool) {
	sizes = f.TypeOf(core.V(in.Arrays[0])).Shape[len(in.Shape):]
	for _, a := range in.Arrays {
		if !slices.Equal(f.TypeOf(core.V(a)).Shape[len(in.Shape):], sizes) {
			return in, nil, false
		}
	}
	if len(sizes) == 0 {
		return in, nil, false
	}
	out = in
	out.Shape = slices.Concat(in.Shape, sizes)
	if in.Op == nil {
		return out, sizes, true
	}
	inner, neutral, ok := f.mapOperator(core.Operator{Lambda: in.Op, Neutral: in.Neutral})
	if !ok || len(sizes) != 1 {
		return in, nil, false
	}
	out.Op, out.Neutral = inner.Map, neutral
	return out, sizes, true
}

// spreadUpdates turns updates of rows of an accumulator into maps of updates
// of their elements.
func (f *flattener) spreadUpdates(b *core.Body, acc core.Var, sizes []core.Operand) *core.Body {
	return f.mapUpdates(b, acc, func(in *core.Builder, s *core.Stm, up *core.UpdateAcc) {
		in.Where, in.Certs = s.Aux.Where, s.Aux.Certs
		in.Bind(s.Dst, f.spread(in, up, sizes))
		in.Where, in.Certs = nil, nil
	})
}

// mapUpdates is a body in which the updates of an accumulator, here and in bodies inside, are what replace adds for each.
func (f *flattener) mapUpdates(b *core.Body, acc core.Var, replace func(in *core.Builder, s *core.Stm, up *core.UpdateAcc)) *core.Body {
	in := f.Nested()
	for _, s := range b.Stms {
		if up, ok := s.Exp.(*core.UpdateAcc); ok && s.Dst[0].Type.Acc == acc {
			replace(in, s, up)
			continue
		}
		exp := core.MapBodies(s.Exp, func(b *core.Body) *core.Body { return f.mapUpdates(b, acc, replace) })
		in.Add(&core.Stm{Dst: s.Dst, Exp: exp, Aux: s.Aux})
	}
	return in.Body(b.Res...)
}

// spread is the update of a value of the given sizes, element by element.
func (f *flattener) spread(b *core.Builder, up *core.UpdateAcc, sizes []core.Operand) core.Exp {
	if len(sizes) == 0 {
		return up
	}
	is := b.LetVar("is", &core.Iota{Type: prim.I64, N: sizes[0], Start: core.Int(0), Step: core.Int(1)})
	f.defs[is] = b.Stms()[len(b.Stms())-1].Exp
	params := []core.Type{core.I64}
	for _, v := range up.Values {
		params = append(params, b.TypeOf(v).Row(1))
	}
	ret := []core.Type{b.TypeOf(core.V(up.Acc))}
	l := b.Lambda("x", params, ret, func(b *core.Builder, ps []core.Operand) []core.Operand {
		inner := &core.UpdateAcc{Acc: up.Acc, Index: append(slices.Clone(up.Index), ps[0]), Values: ps[1:]}
		return b.LetTypes("acc", ret, f.spread(b, inner, sizes[1:]))
	})
	return &core.Screma{Size: sizes[0], Arrays: append([]core.Var{is}, core.VarsOf(up.Values)...), Map: l}
}
