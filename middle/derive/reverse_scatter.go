package derive

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// hist is stm for histograms. What is put into bins is computed by a map of its own.
func (c *reverser) hist(b *core.Builder, s *core.Stm, e *core.Hist) back {
	mapped := make([]core.Param, len(e.Bucket.Ret))
	for i, t := range e.Bucket.Ret {
		mapped[i] = b.Param("binned", core.ArrayOf(t, e.Size))
	}
	backs := []back{c.stm(b, &core.Stm{Dst: mapped, Exp: &core.Screma{Size: e.Size, Arrays: e.Arrays, Map: e.Bucket}, Aux: s.Aux})}
	indices := 0
	for _, op := range e.Ops {
		indices += len(op.Shape)
	}
	places, values := core.ParamVars(mapped[:indices]), core.ParamVars(mapped[indices:])
	dst := s.Dst
	for _, op := range e.Ops {
		w, d := len(op.Dests), len(op.Shape)
		op.Lambda = c.withoutCalls(b, op.Lambda)
		bins := &binning{dst: dst[:w], aux: s.Aux, size: e.Size, places: places[:d], values: values[:w], op: op}
		backs = append(backs, bins.forward(c, b))
		dst, places, values = dst[w:], places[d:], values[w:]
	}
	return inReverse(backs)
}

// binning is a histogram of arrays of places and values.
type binning struct {
	dst            []core.Param
	aux            core.Aux
	size           core.Operand
	places, values []core.Var
	op             core.HistOp
}

func (h *binning) forward(c *reverser, b *core.Builder) back {
	arrays := append(append([]core.Var(nil), h.places...), h.values...)
	s := &core.Stm{Dst: h.dst, Aux: h.aux, Exp: &core.Hist{
		Size: h.size, Arrays: arrays, Ops: []core.HistOp{h.op}, Bucket: b.Identity(b.Rows(arrays)),
	}}
	depends := c.dependent(s)
	c.emit(b, s)
	if !depends {
		return nil
	}
	if isSum(h.op.Lambda) {
		return func(r *sweep) {
			dys, known, _ := r.takeAll(h.dst)
			for i := range h.dst {
				if known[i] {
					h.gather(r, i, dys[i])
					r.add(core.V(h.op.Dests[i]), dys[i], shared)
				}
			}
		}
	}
	op, ok := scalarOperator(h.op.Lambda)
	switch {
	case ok && (op == prim.Min || op == prim.Max):
		return func(r *sweep) { h.winners(r) }
	case ok && op == prim.Mul:
		return func(r *sweep) { h.products(r) }
	}
	if c.uses(b, h.op.Lambda) {
		panic(Unsupported("a histogram whose operator uses what the derivative is by"))
	}
	return func(r *sweep) { h.sequential(r) }
}

// scalarOperator returns the operator that a lambda of two scalars applies to them.
func scalarOperator(l *core.Lambda) (prim.BinOp, bool) {
	if len(l.Params) != 2 || len(l.Body.Stms) != 1 || !l.Body.Res[0].IsVar(l.Body.Stms[0].Dst[0].Var) {
		return 0, false
	}
	e, ok := l.Body.Stms[0].Exp.(*core.Bin)
	x, y := l.Params[0].Var, l.Params[1].Var
	if !ok || !(e.X.IsVar(x) && e.Y.IsVar(y) || e.X.IsVar(y) && e.Y.IsVar(x)) {
		return 0, false
	}
	return e.Op, true
}

// each maps over the binned values: f gets the index of a value, it, and its bin, which exists.
func (h *binning) each(r *sweep, i int, f func(b *core.Builder, k, x core.Operand, bin []core.Operand) core.Operand) {
	a := h.values[i]
	if !r.wants(r.b, core.V(a)) {
		return
	}
	row := r.b.Scope.TypeOf(a).Row(1)
	params := []core.Type{core.I64, row}
	for range h.places {
		params = append(params, core.I64)
	}
	arrays := append([]core.Var{counter(r.b, h.size), a}, h.places...)
	l := r.b.Lambda("x", params, []core.Type{row}, func(b *core.Builder, ps []core.Operand) []core.Operand {
		return b.If("adj", within(b, ps[2:], h.op.Shape), []core.Type{row},
			func(b *core.Builder) []core.Operand { return []core.Operand{f(b, ps[0], ps[1], ps[2:])} },
			func(b *core.Builder) []core.Operand { return []core.Operand{zeroOf(b, row)} })
	})
	r.add(core.V(a), r.b.Let("adj", &core.Screma{Size: h.size, Arrays: arrays, Map: l}), owned)
}

// within is the condition that a place is inside of a shape.
func within(b *core.Builder, place, shape []core.Operand) core.Operand {
	inside := core.Bool(true)
	for d, i := range place {
		in := b.Bin(prim.LogAnd, b.Cmp(prim.Le, core.Int(0), i), b.Cmp(prim.Lt, i, shape[d]))
		if d == 0 {
			inside = in
		} else {
			inside = b.Bin(prim.LogAnd, inside, in)
		}
	}
	return inside
}

// gather returns for each value the adjoint of its bin.
func (h *binning) gather(r *sweep, i int, dy core.Operand) {
	h.each(r, i, func(b *core.Builder, _, _ core.Operand, bin []core.Operand) core.Operand {
		return b.Index("adj", dy.Var, bin...)
	})
}

// again is another histogram of the same places: value i of n is what f makes of the value there. init is what is in the bins before.
func (h *binning) again(b *core.Builder, op prim.BinOp, neutral prim.Value, init core.Var,
	f func(b *core.Builder, k, x core.Operand, bin []core.Operand) core.Operand,
) core.Var {
	scalar := core.ScalarType(neutral.Type())
	params := []core.Type{core.I64, b.Scope.TypeOf(h.values[0]).Row(1)}
	ret := make([]core.Type, 0, len(h.places)+1)
	for range h.places {
		params, ret = append(params, core.I64), append(ret, core.I64)
	}
	bucket := b.Lambda("x", params, append(ret, scalar), func(b *core.Builder, ps []core.Operand) []core.Operand {
		value := b.If("value", within(b, ps[2:], h.op.Shape), []core.Type{scalar},
			func(b *core.Builder) []core.Operand { return []core.Operand{f(b, ps[0], ps[1], ps[2:])} },
			func(*core.Builder) []core.Operand { return []core.Operand{core.C(neutral)} })
		return append(slices.Clone(ps[2:]), value...)
	})
	lambda := b.Lambda("x", []core.Type{scalar, scalar}, []core.Type{scalar}, func(b *core.Builder, ps []core.Operand) []core.Operand {
		return []core.Operand{b.Bin(op, ps[0], ps[1])}
	})
	return b.LetVar("bins", &core.Hist{
		Size: h.size, Arrays: append([]core.Var{counter(b, h.size), h.values[0]}, h.places...), Bucket: bucket,
		Ops: []core.HistOp{{Shape: h.op.Shape, Dests: []core.Var{init}, Neutral: []core.Operand{core.C(neutral)}, Lambda: lambda}},
	})
}

// over maps over the bins: f gets the elements of arrays there.
func (h *binning) over(b *core.Builder, t core.Type, arrays []core.Var,
	f func(b *core.Builder, xs []core.Operand) core.Operand,
) core.Operand {
	n := b.Product(h.op.Shape...)
	var flat []core.Var
	var params []core.Type
	for _, a := range arrays {
		scalar := core.ScalarType(b.Scope.TypeOf(a).Elem)
		params = append(params, scalar)
		flat = append(flat, fit(b, core.V(a), core.ArrayOf(scalar, n)).Var)
	}
	l := b.Lambda("x", params, []core.Type{t}, func(b *core.Builder, ps []core.Operand) []core.Operand {
		return []core.Operand{f(b, ps)}
	})
	return fit(b, b.Let("bins", &core.Screma{Size: n, Arrays: flat, Map: l}), core.ArrayOf(t, h.op.Shape...))
}

// winners is the return sweep of minima or maxima: the adjoint of a bin goes to what was there before if that is the result, else to
// the first value that is.
func (h *binning) winners(r *sweep) {
	dy, ok := r.take(h.dst[0].Var)
	if !ok {
		return
	}
	y, dest := h.dst[0].Var, h.op.Dests[0]
	none := prim.MakeInt(prim.I64, 1<<62)
	init := r.b.LetVar("none", &core.Replicate{Shape: h.op.Shape, X: core.C(none)})
	first := h.again(r.b, prim.Min, none, init, func(b *core.Builder, k, x core.Operand, bin []core.Operand) core.Operand {
		best := b.Index("best", y, bin...)
		stays := b.Cmp(prim.Eq, b.Index("old", dest, bin...), best)
		k2 := calculus{b, prim.I64}
		return k2.choose(b.Cmp(prim.Eq, x, best), k2.choose(stays, core.C(none), k), core.C(none))
	})
	h.each(r, 0, func(b *core.Builder, k, _ core.Operand, bin []core.Operand) core.Operand {
		d := b.Index("adj", dy.Var, bin...)
		c := calculus{b, b.TypeOf(d).Elem}
		return c.choose(b.Cmp(prim.Eq, b.Index("first", first, bin...), k), d, c.Const(0))
	})
	if !r.wants(r.b, core.V(dest)) {
		return
	}
	t := core.ScalarType(r.b.Scope.TypeOf(dest).Elem)
	r.add(core.V(dest), h.over(r.b, t, []core.Var{y, dest, dy.Var}, func(b *core.Builder, xs []core.Operand) core.Operand {
		c := calculus{b, t.Elem}
		return c.choose(b.Cmp(prim.Eq, xs[0], xs[1]), xs[2], c.Const(0))
	}), owned)
}

// products is the return sweep of products. The derivative by a factor is the product of the others: of those that are not zero, unless
// one of the others is.
func (h *binning) products(r *sweep) {
	dy, ok := r.take(h.dst[0].Var)
	if !ok {
		return
	}
	dest := h.op.Dests[0]
	t := core.ScalarType(r.b.Scope.TypeOf(dest).Elem)
	b := r.b
	isZero := func(b *core.Builder, x core.Operand) core.Operand {
		return b.Cmp(prim.Eq, x, core.C(prim.Zero(t.Elem)))
	}
	zeros := h.over(b, core.I64, []core.Var{dest}, func(b *core.Builder, xs []core.Operand) core.Operand {
		return calculus{b, prim.I64}.choose(isZero(b, xs[0]), core.Int(1), core.Int(0))
	})
	count := h.again(b, prim.Add, prim.MakeI64(0), zeros.Var, func(b *core.Builder, _, x core.Operand, _ []core.Operand) core.Operand {
		return calculus{b, prim.I64}.choose(isZero(b, x), core.Int(1), core.Int(0))
	})
	one := Number(t.Elem, 1)
	factor := func(b *core.Builder, x core.Operand) core.Operand {
		return calculus{b, t.Elem}.choose(isZero(b, x), core.C(one), x)
	}
	old := h.over(b, t, []core.Var{dest}, func(b *core.Builder, xs []core.Operand) core.Operand { return factor(b, xs[0]) })
	product := h.again(b, prim.Mul, one, old.Var, func(b *core.Builder, _, x core.Operand, _ []core.Operand) core.Operand {
		return factor(b, x)
	})
	// others is the product of all but x, where the others' zeros are counted without x.
	others := func(b *core.Builder, x, zeros, product core.Operand) core.Operand {
		k := calculus{b, t.Elem}
		alone := k.choose(b.Cmp(prim.Eq, zeros, core.Int(1)), product, k.Const(0))
		without := k.choose(b.Cmp(prim.Eq, zeros, core.Int(0)), b.Bin(prim.Div, product, factor(b, x)), k.Const(0))
		return k.choose(isZero(b, x), alone, without)
	}
	h.each(r, 0, func(b *core.Builder, _, x core.Operand, bin []core.Operand) core.Operand {
		d := b.Index("adj", dy.Var, bin...)
		return b.Bin(prim.Mul, others(b, x, b.Index("zeros", count, bin...), b.Index("product", product, bin...)), d)
	})
	if r.wants(b, core.V(dest)) {
		r.add(core.V(dest), h.over(b, t, []core.Var{dest, count, product, dy.Var}, func(b *core.Builder, xs []core.Operand) core.Operand {
			return b.Bin(prim.Mul, others(b, xs[0], xs[1], xs[2]), xs[3])
		}), owned)
	}
}
