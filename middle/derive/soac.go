package derive

import (
	"slices"

	"skald/middle/core"
)

// lambda differentiates a lambda: some of its parameters have tangents, for which parameters are added at the end. order puts the results
// and their tangents together.
func (c *coder) lambda(l *core.Lambda, withTangent []bool, ret []core.Type,
	order func(res, dres []core.Operand) []core.Operand,
) *core.Lambda {
	ps := append([]core.Param(nil), l.Params...)
	c.b.Scope.BindAll(l.Params)
	for i, p := range l.Params {
		if withTangent[i] {
			ps = append(ps, c.withTangents([]core.Param{p})...)
		}
	}
	return c.b.LambdaOf(ps, ret, func(b *core.Builder, _ []core.Operand) []core.Operand {
		return order(c.in(b).body(l.Body))
	})
}

// operator differentiates a binary operator on values of which some have tangents: it combines those values, and then their tangents.
func (c *coder) operator(l *core.Lambda, neutral []core.Operand) (*core.Lambda, []core.Operand) {
	k := len(neutral)
	c.b.Scope.BindAll(l.Params)
	left, right := l.Params[:k:k], l.Params[k:]
	ret := l.Ret[:k:k]
	for _, t := range l.Ret {
		if c.active(t) {
			ret = append(ret, t)
		}
	}
	ps := append(c.both(left), c.both(right)...)
	dual := c.b.LambdaOf(ps, ret, func(b *core.Builder, _ []core.Operand) []core.Operand {
		return join(c.in(b).body(l.Body))
	})
	zeros := nones(k)
	for i, x := range neutral {
		if t := c.b.TypeOf(x); c.active(t) {
			zeros[i] = c.zero(t)
		}
	}
	return dual, join(neutral, zeros)
}

// operators differentiates operators, and says of each how many values it combines.
func (c *coder) operators(ops []core.Operator) (duals []core.Operator, widths []int) {
	for _, op := range ops {
		l, neutral := c.operator(op.Lambda, op.Neutral)
		duals = append(duals, core.Operator{Lambda: l, Neutral: neutral, Commutative: op.Commutative})
		widths = append(widths, len(op.Neutral))
	}
	return duals, widths
}

// inputs lists arrays and the tangents that are known of them, and says which those are.
func (c *coder) inputs(arrays []core.Var) (all []core.Var, known []bool) {
	all = append(all, arrays...)
	for _, a := range arrays {
		d, ok := c.tan[a]
		known = append(known, ok)
		if ok {
			all = append(all, d.Var)
		}
	}
	return all, known
}

// grouped puts the tangents of each group of values behind it, but for none; the rest is one group.
func grouped[T comparable](xs, dxs []T, none T, widths []int) []T {
	var out []T
	add := func(n int) {
		out = append(out, xs[:n]...)
		for _, dx := range dxs[:n] {
			if dx != none {
				out = append(out, dx)
			}
		}
		xs, dxs = xs[n:], dxs[n:]
	}
	for _, n := range widths {
		add(n)
	}
	add(len(xs))
	return out
}

// tangentParams makes a parameter for the tangent of each of ps that has one; others have none.
func (c *coder) tangentParams(ps []core.Param) []core.Var {
	out := make([]core.Var, len(ps))
	for i, p := range ps {
		for _, dp := range c.withTangents([]core.Param{p}) {
			out[i] = dp.Var
		}
	}
	return out
}

// bindGrouped binds dst and tangents, in groups of the given widths.
func (c *coder) bindGrouped(dst []core.Param, widths []int, e core.Exp) {
	vars := grouped(core.ParamVars(dst), c.tangentParams(dst), 0, widths)
	ps := make([]core.Param, len(vars))
	for i, v := range vars {
		ps[i] = core.Param{Var: v, Type: c.b.Scope.TypeOf(v)}
		if j := slices.IndexFunc(dst, func(p core.Param) bool { return p.Var == v }); j >= 0 {
			ps[i] = dst[j]
		} else {
			c.b.Scope.Bind(ps[i])
		}
	}
	c.b.Bind(ps, e)
}

func (c *coder) screma(s *core.Stm, e *core.Screma) {
	if e.Post != nil {
		panic(Unsupported("a fused SOAC"))
	}
	c.b.Scope.BindAll(s.Dst)
	arrays, known := c.inputs(e.Arrays)
	scans, scanWidths := c.operators(e.Scans)
	reds, redWidths := c.operators(e.Reds)
	widths := append(append([]int(nil), scanWidths...), redWidths...)
	f := c.lambda(e.Map, known, c.groupedTypes(e.Map.Ret, widths), func(res, dres []core.Operand) []core.Operand {
		return grouped(res, dres, None, widths)
	})
	exp := &core.Screma{Size: e.Size, Arrays: arrays, Map: f, Scans: scans, Reds: reds}
	// The results of reductions come first.
	c.bindGrouped(s.Dst, append(append([]int(nil), redWidths...), scanWidths...), exp)
}

// groupedTypes is grouped for types: that of a tangent is that of its value.
func (c *coder) groupedTypes(ts []core.Type, widths []int) []core.Type {
	var out []core.Type
	add := func(n int) {
		out = append(out, ts[:n]...)
		for _, t := range ts[:n] {
			if c.active(t) {
				out = append(out, t)
			}
		}
		ts = ts[n:]
	}
	for _, n := range widths {
		add(n)
	}
	add(len(ts))
	return out
}

func (c *coder) hist(s *core.Stm, e *core.Hist) {
	c.b.Scope.BindAll(s.Dst)
	arrays, known := c.inputs(e.Arrays)
	var ops []core.HistOp
	var widths []int
	indices := 0
	for _, op := range e.Ops {
		dests := core.Vars(op.Dests)
		l, neutral := c.operator(op.Lambda, op.Neutral)
		duals := join(dests, c.tangents(dests))
		ops = append(ops, core.HistOp{Shape: op.Shape, Dests: core.VarsOf(duals), Neutral: neutral, Lambda: l})
		widths = append(widths, len(dests))
		indices += len(op.Shape)
	}
	ret := append(e.Bucket.Ret[:indices:indices], c.groupedTypes(e.Bucket.Ret[indices:], widths)...)
	bucket := c.lambda(e.Bucket, known, ret, func(res, dres []core.Operand) []core.Operand {
		return append(res[:indices:indices], grouped(res[indices:], dres[indices:], None, widths)...)
	})
	c.bindGrouped(s.Dst, widths, &core.Hist{Size: e.Size, Arrays: arrays, Ops: ops, Bucket: bucket})
}

func (c *coder) withAcc(s *core.Stm, e *core.WithAcc) {
	c.b.Scope.BindAll(s.Dst)
	var inputs []core.AccInput
	var widths []int
	for i, in := range e.Inputs {
		arrays := core.Vars(in.Arrays)
		d := c.tangents(arrays)
		out := core.AccInput{Shape: in.Shape, Arrays: core.VarsOf(join(arrays, d))}
		mask := make([]bool, len(d))
		for j := range d {
			mask[j] = d[j] != None
		}
		c.accs[e.Lambda.Params[i].Var] = mask
		if in.Op != nil {
			out.Op, out.Neutral = c.operator(in.Op, in.Neutral)
		}
		inputs = append(inputs, out)
		widths = append(widths, len(arrays))
	}
	n := len(e.Inputs)
	ret := append(e.Lambda.Ret[:n:n], c.groupedTypes(e.Lambda.Ret[n:], nil)...)
	l := c.lambda(e.Lambda, make([]bool, len(e.Lambda.Params)), ret, join)
	c.bindGrouped(s.Dst, widths, &core.WithAcc{Inputs: inputs, Lambda: l})
}

func (c *coder) updateAcc(s *core.Stm, e *core.UpdateAcc) {
	values := append([]core.Operand(nil), e.Values...)
	for i, has := range c.accs[c.b.Scope.TypeOf(e.Acc).Acc] {
		if has {
			values = append(values, c.tangent(e.Values[i]))
		}
	}
	c.b.Bind(s.Dst, &core.UpdateAcc{Acc: e.Acc, Index: e.Index, Values: values})
}
