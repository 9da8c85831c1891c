package derive

import (
	"maps"
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// screma is stm for maps, reductions and scans, which are taken apart.
func (c *reverser) screma(b *core.Builder, s *core.Stm, e *core.Screma) back {
	if e.Post != nil {
		panic(Unsupported("a fused SOAC"))
	}
	if len(e.Reds)+len(e.Scans) == 0 {
		return c.mapping(b, s, e)
	}
	ns, nr := core.Width(e.Scans), core.Width(e.Reds)
	arrays := e.Arrays
	var backs []back
	if !isIdentity(e.Map) {
		mapped := make([]core.Param, ns+nr)
		for i := range mapped {
			mapped[i] = b.Param("mapped", core.ArrayOf(e.Map.Ret[i], e.Size))
		}
		arrays = core.ParamVars(mapped)
		m := &core.Stm{Dst: append(mapped, s.Dst[nr+ns:]...), Exp: &core.Screma{Size: e.Size, Arrays: e.Arrays, Map: e.Map}, Aux: s.Aux}
		backs = append(backs, c.stm(b, m))
	}
	scans, reds := arrays[:ns], arrays[ns:ns+nr]
	dst := s.Dst[nr : nr+ns]
	for _, op := range e.Scans {
		k := len(op.Neutral)
		op.Lambda = c.withoutCalls(b, op.Lambda)
		backs = append(backs, c.scan(b, &fold{dst[:k], s.Aux, e.Size, scans[:k], op}))
		dst, scans = dst[k:], scans[k:]
	}
	dst = s.Dst[:nr]
	for _, op := range e.Reds {
		k := len(op.Neutral)
		op.Lambda = c.withoutCalls(b, op.Lambda)
		backs = append(backs, c.reduce(b, &fold{dst[:k], s.Aux, e.Size, reds[:k], op}))
		dst, reds = dst[k:], reds[k:]
	}
	return inReverse(backs)
}

// inReverse is the return sweep of what was done in the given order.
func inReverse(backs []back) back {
	return func(r *sweep) {
		for _, back := range slices.Backward(backs) {
			if back != nil {
				back(r)
			}
		}
	}
}

func isIdentity(l *core.Lambda) bool {
	return len(l.Body.Stms) == 0 && slices.Equal(l.Body.Res, core.Vars(core.ParamVars(l.Params)))
}

// mapping is stm for maps.
func (c *reverser) mapping(b *core.Builder, s *core.Stm, e *core.Screma) back {
	c.emitWithoutAccs(b, s)
	return func(r *sweep) {
		dys, known, some := r.takeAll(s.Dst)
		if !some && !c.undoes(s) {
			return
		}
		m := &mapBack{c: c, e: e, seeds: map[int]int{}}
		for i, dy := range dys {
			if known[i] {
				m.seeds[i] = len(e.Arrays) + len(m.seedArrays)
				m.seedArrays = append(m.seedArrays, fit(r.b, dy, r.b.Scope.TypeOf(s.Dst[i].Var)).Var)
			}
		}
		m.sweep(r)
	}
}

// mapBack is the return sweep of a map.
type mapBack struct {
	c *reverser
	e *core.Screma
	// seedArrays are the adjoints of results. seeds returns, for a result that has one, the input of the new map that it is.
	seedArrays []core.Var
	seeds      map[int]int
	// of the variables that the function uses, scalars are summed up over all elements, arrays get accumulators.
	scalars, arrays, accs []core.Var
}

func (m *mapBack) sweep(r *sweep) {
	for _, v := range r.free(core.FreeInLambda(m.e.Map)) {
		switch _, acc := r.acc[v]; {
		case !r.wants(r.b, core.V(v)):
		case acc:
			m.accs = append(m.accs, v)
		case r.b.Scope.TypeOf(v).IsArray():
			m.arrays = append(m.arrays, v)
		default:
			m.scalars = append(m.scalars, v)
		}
	}
	var results []core.Operand
	if len(m.arrays) == 0 {
		results = m.emit(r.b, r, r.acc)
	} else {
		results = r.accumulating(m.arrays, func(b *core.Builder, acc map[core.Var]core.Var) []core.Operand { return m.emit(b, r, acc) })
	}
	for i, v := range m.accs {
		r.acc[v] = results[i].Var
	}
	results = results[len(m.accs):]
	for _, a := range m.e.Arrays {
		if r.wants(r.b, core.V(a)) {
			r.add(core.V(a), results[0], owned)
			results = results[1:]
		}
	}
	for i, v := range m.scalars {
		r.add(core.V(v), sum(r.b, results[i], m.e.Size), shared)
	}
}

// emit adds the map of the return sweep; acc has accumulators for m.accs and m.arrays. Its results are those of m.accs, then adjoints
// of the input arrays, and the parts of the scalars' adjoints. It notes in acc what became of those of m.arrays.
func (m *mapBack) emit(b *core.Builder, r *sweep, acc map[core.Var]core.Var) []core.Operand {
	c := m.c
	inputs := append(append([]core.Var(nil), m.e.Arrays...), m.seedArrays...)
	var params []core.Param
	for _, a := range inputs {
		params = append(params, b.Param("x", b.Scope.TypeOf(a).Row(1)))
	}
	accs := append(append([]core.Var(nil), m.accs...), m.arrays...)
	var ret []core.Type
	for _, v := range accs {
		ret = append(ret, b.Scope.TypeOf(acc[v]))
	}
	for i, a := range m.e.Arrays {
		if r.wants(b, core.V(a)) {
			c.depends[params[i].Var] = true
			ret = append(ret, params[i].Type)
		}
	}
	for _, v := range m.scalars {
		ret = append(ret, b.Scope.TypeOf(v))
	}
	l := b.LambdaOf(params, ret, func(b *core.Builder, ps []core.Operand) []core.Operand {
		in := r.fresh(b, acc)
		res, back := c.apply(b, m.e.Map, ps[:len(m.e.Arrays)])
		for i, x := range res {
			if at, ok := m.seeds[i]; ok {
				in.add(x, ps[at], shared)
			}
		}
		back(in)
		var out []core.Operand
		for _, v := range accs {
			out = append(out, core.V(in.acc[v]))
		}
		for i, a := range m.e.Arrays {
			if r.wants(b, core.V(a)) {
				out = append(out, in.orZero(params[i].Var))
			}
		}
		for _, v := range m.scalars {
			out = append(out, in.orZero(v))
		}
		return out
	})
	dst := make([]core.Type, len(ret))
	for i, t := range ret {
		dst[i] = core.ArrayOf(t, m.e.Size)
	}
	if len(dst) == 0 {
		return nil
	}
	results := b.LetTypes("adj", dst, &core.Screma{Size: m.e.Size, Arrays: inputs, Map: l})
	for i, v := range m.arrays {
		acc[v] = results[len(m.accs)+i].Var
	}
	return append(results[:len(m.accs):len(m.accs)], results[len(accs):]...)
}

// accumulating makes the adjoints of arrays accumulators for f, which is given them in place of r.acc and notes there what became of them.
// It returns f's results, of which those of accumulator type come first.
func (r *sweep) accumulating(arrays []core.Var, f func(b *core.Builder, acc map[core.Var]core.Var) []core.Operand) []core.Operand {
	b := r.b
	acc := maps.Clone(r.acc)
	var inputs []core.AccInput
	var params []core.Param
	var types, ret []core.Type
	for _, v := range arrays {
		t := b.Scope.TypeOf(v)
		scalar := core.ScalarType(t.Elem)
		inputs = append(inputs, core.AccInput{
			Shape: t.Shape, Arrays: []core.Var{fit(b, r.own(v), t).Var},
			Op: addition(b, scalar), Neutral: []core.Operand{core.C(prim.Zero(t.Elem))},
		})
		p := b.Param("acc", core.Type{})
		p.Type = core.AccType(p.Var)
		b.Scope.Bind(p)
		acc[v] = p.Var
		params, types, ret = append(params, p), append(types, t), append(ret, p.Type)
	}
	var inner []core.Type
	l := b.LambdaOf(params, nil, func(b *core.Builder, _ []core.Operand) []core.Operand {
		results := f(b, acc)
		for _, x := range results {
			inner = append(inner, b.TypeOf(x))
		}
		var res []core.Operand
		for _, v := range arrays {
			res = append(res, core.V(acc[v]))
		}
		return append(res, results...)
	})
	l.Ret = append(ret, inner...)
	out := b.LetTypes("adj", append(types, inner...), &core.WithAcc{Inputs: inputs, Lambda: l})
	for i, v := range arrays {
		r.adj[v] = adjoint{out[i], true}
	}
	return out[len(arrays):]
}
