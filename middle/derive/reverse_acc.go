package derive

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Shadow accumulators]
//
// The return sweep of WithAcc undoes updates: it reads the adjoint of each value that was written from the place where it was written. So
// the lambda of WithAcc runs again with shadow accumulators: they leave no code in the forward run, and reads of
// adjoints in the return sweep.
//
// Where updates overwrite, only the last one of a place counts. Updates are numbered, by the element of the map that does them, and the
// numbers are written to an array as the values were; an update that does not find its number there is not the last.

// shadow is an accumulator whose updates are being undone: see Note [Shadow accumulators].
type shadow struct {
	shape []core.Operand
	// dys are the adjoints of its arrays after all updates, known tells which there are.
	dys   []core.Operand
	known []bool
	// last holds the number of the last update of each place, if updates overwrite. That of an update is the last of its values then.
	last core.Var
}

// withAcc is stm for WithAcc: see Note [Shadow accumulators].
func (c *reverser) withAcc(b *core.Builder, s *core.Stm, e *core.WithAcc) back {
	for _, in := range e.Inputs {
		if in.Op != nil && !isSum(c.withoutCalls(b, in.Op)) {
			panic(Unsupported("an accumulator with an operator that is not a sum"))
		}
	}
	c.emit(b, s)
	return func(r *sweep) {
		dys, known, some := r.takeAll(s.Dst)
		if !some {
			return
		}
		l := numbered(r.b, e)
		k := 0
		for i, in := range e.Inputs {
			n := k + len(in.Arrays)
			g := &shadow{shape: in.Shape, dys: dys[k:n], known: known[k:n]}
			if in.Op == nil {
				g.last = written(r.b, e, i)
			}
			c.shadows[l.Params[i].Var] = g
			k = n
		}
		res, back := c.forward(r.b, l.Body)
		for i, x := range res[len(e.Inputs):] {
			if known[k+i] {
				r.add(x, dys[k+i], shared)
			}
		}
		back(r)
		k = 0
		for i, in := range e.Inputs {
			for _, a := range in.Arrays {
				if known[k] && r.wants(r.b, core.V(a)) {
					r.destination(in, c.shadows[l.Params[i].Var].last, a, dys[k])
				}
				k++
			}
		}
	}
}

// destination adds to the adjoint of array a what remains of dy, that after all updates: nothing where they overwrote.
func (r *sweep) destination(input core.AccInput, last, a core.Var, dy core.Operand) {
	if input.Op != nil {
		r.add(core.V(a), dy, shared)
		return
	}
	shape := input.Shape
	n := r.b.Product(shape...)
	t := r.b.TypeOf(dy)
	row := t.Row(len(shape))
	rows := fit(r.b, dy, core.ArrayOf(row, n))
	numbers := fit(r.b, core.V(last), core.ArrayOf(core.I64, n))
	l := r.b.Lambda("x", []core.Type{core.I64, row}, []core.Type{row}, func(b *core.Builder, ps []core.Operand) []core.Operand {
		return b.If("rest", b.Cmp(prim.Lt, ps[0], core.Int(0)), []core.Type{row},
			func(*core.Builder) []core.Operand { return ps[1:] },
			func(b *core.Builder) []core.Operand { return []core.Operand{zeroOf(b, row)} })
	})
	rest := r.b.Let("rest", &core.Screma{Size: n, Arrays: []core.Var{numbers.Var, rows.Var}, Map: l})
	r.add(core.V(a), fit(r.b, rest, t), owned)
}

// numbered is a copy of the lambda of a WithAcc in which each update has one more value: the number of the element of the outermost
// map around it.
func numbered(b *core.Builder, e *core.WithAcc) *core.Lambda {
	l := core.RenameLambda(b.Fun, e.Lambda)
	b.Scope.BindLambda(l)
	maps := 0
	for _, s := range l.Body.Stms {
		if _, ok := s.Exp.(*core.Screma); ok {
			maps++
		}
	}
	n := &numbering{roots: core.ParamVars(l.Params)}
	k := 0
	body := b.Build(func(b *core.Builder) []core.Operand {
		for _, s := range l.Body.Stms {
			m, ok := s.Exp.(*core.Screma)
			if !ok {
				b.Add(n.stm(b, s, core.Int(0)))
				continue
			}
			outer := *m
			is := b.LetVar("number", &core.Iota{
				Type: prim.I64, N: m.Size, Start: core.Int(int64(k)), Step: core.Int(int64(maps)),
			})
			outer.Arrays = append([]core.Var{is}, m.Arrays...)
			number := b.Param("number", core.I64)
			outer.Map = &core.Lambda{
				Params: append([]core.Param{number}, m.Map.Params...), Ret: m.Map.Ret,
				Body: n.body(b, m.Map.Body, core.V(number.Var)),
			}
			b.Add(&core.Stm{Dst: s.Dst, Exp: &outer, Aux: s.Aux})
			k++
		}
		return l.Body.Res
	})
	return &core.Lambda{Params: l.Params, Body: body, Ret: l.Ret}
}

// numbering adds numbers to the updates of some accumulators.
type numbering struct{ roots []core.Var }

func (n *numbering) body(b *core.Builder, body *core.Body, number core.Operand) *core.Body {
	return b.Build(func(b *core.Builder) []core.Operand {
		for _, s := range body.Stms {
			b.Add(n.stm(b, s, number))
		}
		return body.Res
	})
}

func (n *numbering) stm(b *core.Builder, s *core.Stm, number core.Operand) *core.Stm {
	if up, ok := s.Exp.(*core.UpdateAcc); ok && slices.Contains(n.roots, s.Dst[0].Type.Acc) {
		values := append(slices.Clone(up.Values), number)
		return &core.Stm{Dst: s.Dst, Exp: &core.UpdateAcc{Acc: up.Acc, Index: up.Index, Values: values}, Aux: s.Aux}
	}
	exp := core.MapBodies(s.Exp, func(body *core.Body) *core.Body { return n.body(b, body, number) })
	return &core.Stm{Dst: s.Dst, Exp: exp, Aux: s.Aux}
}

// written is an array with the shape of input i: at each place the number of the last update that wrote there, or -1.
func written(b *core.Builder, e *core.WithAcc, i int) core.Var {
	l := numbered(b, e)
	roots := map[core.Var]int{}
	for k, p := range l.Params {
		roots[p.Var] = k
	}
	var rewrite func(body *core.Body) *core.Body
	rewrite = func(body *core.Body) *core.Body {
		in := b.Nested()
		for _, s := range body.Stms {
			up, ok := s.Exp.(*core.UpdateAcc)
			if ok {
				_, ok = roots[s.Dst[0].Type.Acc]
			}
			if !ok {
				in.Add(&core.Stm{Dst: s.Dst, Exp: core.MapBodies(s.Exp, rewrite), Aux: s.Aux})
				continue
			}
			n := len(up.Values) - 1
			values := up.Values[:n]
			if roots[s.Dst[0].Type.Acc] == i {
				values = up.Values[n:]
			}
			in.Add(&core.Stm{Dst: s.Dst, Exp: &core.UpdateAcc{Acc: up.Acc, Index: up.Index, Values: values}, Aux: s.Aux})
		}
		return in.Body(body.Res...)
	}
	var inputs []core.AccInput
	var types []core.Type
	at := 0
	for k, in := range e.Inputs {
		if k == i {
			at = len(types)
			in = core.AccInput{Shape: in.Shape, Arrays: []core.Var{b.LetVar("last", &core.Replicate{Shape: in.Shape, X: core.Int(-1)})}}
		} else {
			// The other accumulators are updated as they were, in copies.
			in.Arrays = slices.Clone(in.Arrays)
			for m, a := range in.Arrays {
				in.Arrays[m] = b.LetVar("x", &core.Copy{Array: a})
			}
		}
		for _, a := range in.Arrays {
			types = append(types, b.Scope.TypeOf(a))
		}
		inputs = append(inputs, in)
	}
	types = append(types, l.Ret[len(e.Inputs):]...)
	lambda := &core.Lambda{Params: l.Params, Body: rewrite(l.Body), Ret: l.Ret}
	return b.LetTypes("last", types, &core.WithAcc{Inputs: inputs, Lambda: lambda})[at].Var
}

// updateAcc is stm for the update of a shadow.
func (c *reverser) updateAcc(s *core.Stm, e *core.UpdateAcc) back {
	g := c.shadows[s.Dst[0].Type.Acc]
	if g == nil {
		panic(Unsupported("an accumulator from outside"))
	}
	return func(r *sweep) {
		n := len(e.Values) - 1
		for i, v := range e.Values[:n] {
			if !g.known[i] || !r.wants(r.b, v) {
				continue
			}
			t := r.b.TypeOf(v)
			zero := func(b *core.Builder) []core.Operand { return []core.Operand{zeroOf(b, t)} }
			read := func(b *core.Builder) []core.Operand {
				return []core.Operand{fit(b, b.Index("adj", g.dys[i].Var, e.Index...), t)}
			}
			dv := r.b.If("adj", within(r.b, e.Index, g.shape), []core.Type{t}, func(b *core.Builder) []core.Operand {
				if g.last == 0 {
					return read(b)
				}
				counts := b.Cmp(prim.Eq, b.Index("last", g.last, e.Index...), e.Values[n])
				return b.If("adj", counts, []core.Type{t}, read, zero)
			}, zero)[0]
			r.add(v, dv, shared)
		}
	}
}

// undoes reports whether s updates shadows.
func (c *reverser) undoes(s *core.Stm) bool {
	return slices.ContainsFunc(s.Dst, func(p core.Param) bool { return p.Type.Kind == core.KindAcc && c.shadows[p.Type.Acc] != nil })
}

// emitWithoutAccs emits s without the accumulators that it returns, and nothing if it returns nothing else.
func (c *reverser) emitWithoutAccs(b *core.Builder, s *core.Stm) {
	if out := withoutAccs(s); len(out.Dst) > 0 || len(s.Dst) == 0 {
		c.emit(b, out)
	}
}

// withoutAccs is s without the accumulators that it returns and the updates of them.
func withoutAccs(s *core.Stm) *core.Stm {
	isAcc := func(p core.Param) bool { return p.Type.Kind == core.KindAcc }
	if !slices.ContainsFunc(s.Dst, isAcc) {
		return s
	}
	body := func(b *core.Body) *core.Body {
		out := &core.Body{}
		for _, s := range b.Stms {
			if s := withoutAccs(s); len(s.Dst) > 0 {
				out.Stms = append(out.Stms, s)
			}
		}
		for i, p := range s.Dst {
			if !isAcc(p) {
				out.Res = append(out.Res, b.Res[i])
			}
		}
		return out
	}
	out := &core.Stm{Dst: slices.DeleteFunc(slices.Clone(s.Dst), isAcc), Aux: s.Aux, Exp: s.Exp}
	if len(out.Dst) == 0 {
		return out
	}
	out.Exp = core.MapBodies(s.Exp, body)
	if m, ok := out.Exp.(*core.Screma); ok {
		lambda := *m.Map
		lambda.Ret = slices.DeleteFunc(slices.Clone(lambda.Ret), func(t core.Type) bool { return t.Kind == core.KindAcc })
		m.Map = &lambda
	}
	return out
}
