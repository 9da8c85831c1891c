package derive

import (
	"skald/middle/core"
	"skald/runtime/prim"
	"skald/runtime/prim/partial"
)

// rerun adds a copy of body, in which sub is substituted.
func (c *reverser) rerun(b *core.Builder, body *core.Body, sub core.Subst) ([]core.Operand, back) {
	copied := core.NewRenamer(b.Fun, b.Fun, sub).Body(body)
	b.Scope.BindBody(copied)
	return c.forward(b, copied)
}

// apply adds a copy of a lambda's body for arguments; those that depend are what the derivative is by.
func (c *reverser) apply(b *core.Builder, l *core.Lambda, args []core.Operand) ([]core.Operand, back) {
	sub := core.Subst{}
	for i, p := range l.Params {
		sub[p.Var] = args[i]
	}
	return c.rerun(b, l.Body, sub)
}

// forward adds the statements of body, and returns its results and its return sweep.
func (c *reverser) forward(b *core.Builder, body *core.Body) ([]core.Operand, back) {
	type step struct {
		aux  core.Aux
		back back
	}
	var steps []step
	for _, s := range body.Stms {
		s = c.inlined.Stm(s)
		aux := s.Aux
		aux.Where = aux.Where.Under(c.caller)
		b.Where, b.Attrs, b.Certs = aux.Where, nil, nil
		if back := c.stm(b, &core.Stm{Dst: s.Dst, Exp: s.Exp, Aux: aux}); back != nil {
			steps = append(steps, step{aux, back})
		}
	}
	res := make([]core.Operand, len(body.Res))
	for i, x := range body.Res {
		res[i] = c.inlined.Operand(x)
	}
	return res, func(r *sweep) {
		for i := len(steps) - 1; i >= 0; i-- {
			r.b.Where = steps[i].aux.Where
			steps[i].back(r)
		}
	}
}

// dependent reports whether s depends on what the derivative is by, and notes that its results do.
func (c *reverser) dependent(s *core.Stm) bool {
	some := c.undoes(s)
	for _, v := range core.FreeInStm(s).List() {
		some = some || c.depends[v]
	}
	for _, p := range s.Dst {
		c.depends[p.Var] = some && Active(p.Type, c.integers)
	}
	return some
}

// stm adds s, and returns its part of the return sweep.
func (c *reverser) stm(b *core.Builder, s *core.Stm) back {
	switch core.Match(s.Exp).(type) {
	case *core.Call, *core.WithVjp: // They look at the function to know on what it depends.
	default:
		if !c.dependent(s) {
			c.emit(b, s)
			return nil
		}
	}
	switch e := s.Exp.(type) {
	case *core.Cmp, *core.Tune, *core.Fact, *core.Iota, *core.Scratch:
		b.Add(s) // No derivative is by what these use.
	case core.Scalar:
		b.Add(s)
		return handOn(s, func(r *sweep, dy core.Operand) { r.scalar(e, core.V(s.Dst[0].Var), dy) })
	case core.View:
		if x, ok := secondName(b, s); ok {
			c.inlined[s.Dst[0].Var] = x
			return nil
		}
		c.emit(b, s)
		if e, ok := e.(*core.Index); ok && s.Dst[0].Type.IsArray() {
			c.parts[s.Dst[0].Var] = e
		}
		return handOn(s, func(r *sweep, dy core.Operand) { r.view(e, dy) })
	case core.Memory:
		c.emit(b, s)
		return handOn(s, func(r *sweep, dy core.Operand) { r.memory(e, dy) })
	case core.Control:
		return c.control(b, s, e)
	case core.SOAC:
		return c.soac(b, s, e)
	case core.Seg:
		unsupported(e)
	}
	return nil
}

// secondName returns what the result of s is a second name of.
func secondName(b *core.Builder, s *core.Stm) (core.Operand, bool) {
	if len(s.Aux.Certs) > 0 {
		return core.Operand{}, false
	}
	switch e := core.Match(s.Exp).(type) {
	case *core.Use:
		return e.X, true
	case *core.Reshape:
		return core.V(e.Array), b.Scope.TypeOf(e.Array).Same(s.Dst[0].Type)
	default:
		return core.Operand{}, false
	}
}

// handOn is the return sweep of a statement with one result, whose adjoint f hands on.
func handOn(s *core.Stm, f func(r *sweep, dy core.Operand)) back {
	return func(r *sweep) {
		if dy, ok := r.take(s.Dst[0].Var); ok {
			f(r, dy)
		}
	}
}

func (c *reverser) control(b *core.Builder, s *core.Stm, e core.Control) back {
	switch e := e.(type) {
	case *core.Assert, *core.Trace:
		b.Add(s)
	case *core.If:
		return c.branch(b, s, e)
	case *core.Loop:
		return c.loop(b, s, e)
	case *core.Call:
		return c.call(b, s, e)
	case *core.WithVjp:
		return c.custom(b, s, e)
	case *core.Switch, *core.Derivative:
		unsupported(e)
	}
	return nil
}

func (c *reverser) soac(b *core.Builder, s *core.Stm, e core.SOAC) back {
	switch e := e.(type) {
	case *core.Screma:
		return c.screma(b, s, e)
	case *core.Hist:
		return c.hist(b, s, e)
	case *core.WithAcc:
		return c.withAcc(b, s, e)
	case *core.UpdateAcc:
		return c.updateAcc(s, e)
	case *core.FlatMap:
		unsupported(e)
	}
	return nil
}

// scalar hands the adjoint dy of y, the result of a scalar operator, on to the operands.
func (r *sweep) scalar(e core.Scalar, y, dy core.Operand) {
	switch e := e.(type) {
	case *core.Un:
		k := calculus{r.b, e.Type}
		r.partial(k, e.X, dy, func() (core.Operand, bool) { return partial.Unary(k, e.Op, e.X) })
	case *core.Bin:
		k := calculus{r.b, e.Type}
		for i, x := range []core.Operand{e.X, e.Y} {
			r.partial(k, x, dy, func() (core.Operand, bool) { return partial.Binary(k, e.Op, e.X, e.Y, y, i) })
		}
	case *core.Conv:
		if r.wants(r.b, e.X) {
			r.add(e.X, r.b.Conv(dy, e.From), shared)
		}
	case *core.CallFunc:
		r.function(e, y, dy)
	case *core.Cmp, *core.Tune, *core.Fact:
	}
}

// function is scalar for built-in functions.
func (r *sweep) function(e *core.CallFunc, y, dy core.Operand) {
	switch e.Func {
	case prim.ToBits, prim.FromBits:
		inverse, x := prim.FromBits, e.Args[0]
		if e.Func == prim.FromBits {
			inverse = prim.ToBits
		}
		if r.wants(r.b, x) {
			r.add(x, r.b.Let("t", &core.CallFunc{Func: inverse, Type: e.Type, Args: []core.Operand{dy}}), shared)
		}
		return
	default:
	}
	k := calculus{r.b, e.Type}
	for i, x := range e.Args {
		r.partial(k, x, dy, func() (core.Operand, bool) { return partial.Call(k, e.Func, e.Args, y, i) })
	}
}

// partial adds dy times the partial derivative by x to the adjoint of x.
func (r *sweep) partial(k calculus, x, dy core.Operand, by func() (core.Operand, bool)) {
	if !r.wants(r.b, x) || r.b.TypeOf(x).Elem != k.t {
		return
	}
	p, ok := by()
	switch {
	case !ok:
	case p == k.Const(1):
		r.add(x, dy, shared)
	case p == k.Const(-1):
		r.add(x, k.Unary(prim.Neg, dy), shared)
	default:
		r.add(x, Mul(r.b, p, dy), shared)
	}
}

// view passes the adjoint dy of e's result on.
func (r *sweep) view(e core.View, dy core.Operand) {
	switch e := e.(type) {
	case *core.Use:
		r.add(e.X, dy, shared)
	case *core.Index:
		r.addAt(e.Array, e.Slice, dy)
	case *core.Rearrange:
		inverse := make([]int, len(e.Perm))
		for i, d := range e.Perm {
			inverse[d] = i
		}
		r.add(core.V(e.Array), r.b.Let("adj", &core.Rearrange{Perm: inverse, Array: dy.Var}), shared)
	case *core.Reshape:
		r.add(core.V(e.Array), r.b.Let("adj", &core.Reshape{Shape: r.b.Scope.TypeOf(e.Array).Shape, Array: dy.Var}), shared)
	}
}

// memory hands the adjoint dy of what e makes on, where e moves elements.
func (r *sweep) memory(e core.Memory, dy core.Operand) {
	switch e := e.(type) {
	case *core.Update:
		r.update(e, dy)
	case *core.Concat:
		off := core.Int(0)
		for _, a := range e.Arrays {
			t := r.b.Scope.TypeOf(a)
			at := core.FullSlice(t)
			at[0].Off = off
			r.add(core.V(a), r.b.Let("adj", &core.Index{Array: dy.Var, Slice: at}), shared)
			off = r.b.Add64(off, t.Shape[0])
		}
	case *core.Replicate:
		r.replicate(e, dy)
	case *core.ArrayLit:
		for i, x := range e.Elems {
			if r.wants(r.b, x) {
				r.add(x, r.b.Index("adj", dy.Var, core.Int(int64(i))), shared)
			}
		}
	case *core.Copy:
		r.add(core.V(e.Array), dy, shared)
	case *core.Iota, *core.Scratch:
	case *core.Alloc:
		unsupported(e)
	}
}

// update is memory for an update: the new part's adjoint goes to the value, the rest's to the old array.
func (r *sweep) update(e *core.Update, dy core.Operand) {
	part := r.b.Let("adj", &core.Index{Array: dy.Var, Slice: e.Slice})
	if r.wants(r.b, e.Value) {
		if r.b.TypeOf(part).IsArray() {
			part = r.b.Let("adj", &core.Copy{Array: part.Var})
		}
		r.add(e.Value, part, owned)
	}
	if !r.wants(r.b, core.V(e.Array)) {
		return
	}
	rest := r.b.LetVar("adj", &core.Copy{Array: dy.Var})
	zero := zeroOf(r.b, core.SliceType(r.b.TypeOf(dy), e.Slice))
	r.add(core.V(e.Array), r.b.Let("adj", &core.Update{Array: rest, Slice: e.Slice, Value: zero}), owned)
}

// replicate is memory for a replication: the adjoints of all copies are added up.
func (r *sweep) replicate(e *core.Replicate, dy core.Operand) {
	if !r.wants(r.b, e.X) {
		return
	}
	n := r.b.Product(e.Shape...)
	rows := fit(r.b, dy, core.ArrayOf(r.b.TypeOf(e.X), n))
	r.add(e.X, sum(r.b, rows, n), shared)
}
