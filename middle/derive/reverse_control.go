package derive

import (
	"maps"
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// branch is stm for branches.
func (c *reverser) branch(b *core.Builder, s *core.Stm, e *core.If) back {
	c.emitWithoutAccs(b, s)
	return func(r *sweep) {
		dys, known, some := r.takeAll(s.Dst)
		if !some && !c.undoes(s) {
			return
		}
		side := func(body *core.Body) *sweep {
			in := r.nested()
			res, back := c.rerun(in.b, body, core.Subst{})
			for i, x := range res {
				if known[i] {
					in.add(x, dys[i], shared)
				}
			}
			back(in)
			return in
		}
		r.merge(e.Cond, core.FreeInStm(s), side(e.Then), side(e.Else))
	}
}

// merge adds the branch that the sweeps of two sides make, which changed adjoints of some of vars.
func (r *sweep) merge(cond core.Operand, vars *core.VarSet, then, other *sweep) {
	var dst []core.Param
	var thenRes, otherRes []core.Operand
	var update []func(core.Operand)
	add := func(t core.Type, x, y core.Operand, f func(core.Operand)) {
		dst = append(dst, r.b.Param("adj", t))
		thenRes, otherRes = append(thenRes, x), append(otherRes, y)
		update = append(update, f)
	}
	for _, v := range r.free(vars) {
		x, y := then.adj[v], other.adj[v]
		if x != r.adj[v] || y != r.adj[v] {
			owned := (x.owned || x == adjoint{}) && (y.owned || y == adjoint{})
			add(r.b.Scope.TypeOf(v), then.orZero(v), other.orZero(v), func(o core.Operand) { r.adj[v] = adjoint{o, owned} })
		}
		if a := r.acc[v]; a != 0 && (then.acc[v] != a || other.acc[v] != a) {
			add(r.b.Scope.TypeOf(a), core.V(then.acc[v]), core.V(other.acc[v]), func(o core.Operand) { r.acc[v] = o.Var })
		}
	}
	if len(dst) == 0 {
		return
	}
	r.b.Bind(dst, &core.If{Cond: cond, Then: then.b.Body(thenRes...), Else: other.b.Body(otherRes...)})
	for i, p := range dst {
		update[i](core.V(p.Var))
	}
}

// loop is stm for loops. A loop runs with a tape: an array for each parameter, of the values that it had.
func (c *reverser) loop(b *core.Builder, s *core.Stm, e *core.Loop) back {
	own := map[core.Var]bool{}
	for _, p := range e.Params {
		own[p.Var] = true
		if p.Type.Kind == core.KindAcc {
			panic(Unsupported("a loop that updates an accumulator"))
		}
	}
	for _, p := range e.Params {
		for _, n := range p.Type.Shape {
			if own[n.Var] {
				panic(Unsupported("a loop whose arrays change their sizes"))
			}
		}
	}
	bound := e.Bound
	if !e.IsFor() {
		bound = c.iterations(b, s, e)
	}
	index := e.Index
	if !e.IsFor() {
		index = b.Param("i", core.I64)
	}
	tapes := c.taped(b, s, e, index, bound)
	back := &loopBack{c, s, e, index, bound, tapes}
	return back.sweep
}

// iterations runs a while loop, and counts its iterations.
func (c *reverser) iterations(b *core.Builder, s *core.Stm, e *core.Loop) core.Operand {
	n := b.Param("n", core.I64)
	copied := core.NewRenamer(b.Fun, b.Fun, nil).Stm(s)
	l := copied.Exp.(*core.Loop)
	b.Scope.BindAll(l.Params)
	b.Scope.BindBody(l.Body)
	body := b.Build(func(b *core.Builder) []core.Operand {
		b.Add(l.Body.Stms...)
		return append(append([]core.Operand(nil), l.Body.Res...), b.Add64(core.V(n.Var), core.Int(1)))
	})
	count := b.Param("n", core.I64)
	counting := *l
	counting.Params = append(append([]core.Param(nil), l.Params...), n)
	counting.Init = append(append([]core.Operand(nil), l.Init...), core.Int(0))
	counting.Body = body
	c.emit(b, &core.Stm{Dst: append(copied.Dst, count), Exp: &counting, Aux: s.Aux})
	return core.V(count.Var)
}

// taped adds a loop of so many iterations that keeps the values of its parameters, and returns the arrays that hold them.
func (c *reverser) taped(b *core.Builder, s *core.Stm, e *core.Loop, index core.Param, bound core.Operand) []core.Var {
	out := &core.Loop{Params: append([]core.Param(nil), e.Params...), Init: append([]core.Operand(nil), e.Init...), Index: index, Bound: bound}
	dst := append([]core.Param(nil), s.Dst...)
	count := bound
	if index.Type.Elem != prim.I64 {
		count = b.Conv(bound, prim.I64)
	}
	var tapes, results []core.Var
	for _, p := range e.Params {
		t := core.ArrayOf(p.Type, count)
		tape := b.Param("tape", t)
		tape.Unique = true
		out.Params = append(out.Params, tape)
		out.Init = append(out.Init, b.Let("tape", &core.Scratch{Elem: t.Elem, Shape: t.Shape}))
		result := b.Param("tape", t)
		dst = append(dst, result)
		tapes, results = append(tapes, tape.Var), append(results, result.Var)
	}
	out.Body = b.Build(func(b *core.Builder) []core.Operand {
		i := core.V(index.Var)
		b.Scope.Bind(index)
		if index.Type.Elem != prim.I64 {
			i = b.Conv(i, prim.I64)
		}
		res := append([]core.Operand(nil), e.Body.Res...)
		for k, p := range e.Params {
			res = append(res, core.V(b.Update(tapes[k], core.V(p.Var), i)))
		}
		b.Add(e.Body.Stms...)
		return res
	})
	c.emit(b, &core.Stm{Dst: dst, Exp: out, Aux: s.Aux})
	return results
}

// loopBack is the return sweep of a loop.
type loopBack struct {
	c     *reverser
	s     *core.Stm
	e     *core.Loop
	index core.Param
	bound core.Operand
	tapes []core.Var
}

func (l *loopBack) sweep(r *sweep) {
	dys, known, some := r.takeAll(l.s.Dst)
	if !some {
		return
	}
	carried := newCarried(r, core.FreeInExp(&core.Loop{Params: l.e.Params, Index: l.index, Bound: core.Int(0), Body: l.e.Body}))
	var active []int
	for i, p := range l.e.Params {
		if Active(p.Type, l.c.integers) {
			active = append(active, i)
			dy := zeroOf(r.b, p.Type)
			if known[i] {
				dy = ownCopy(r.b, dys[i])
			}
			carried.param(p.Type, dy)
		}
	}
	n := len(carried.vars)
	k := r.b.Param("k", l.index.Type)
	body := carried.body(r, func(in *sweep, ps []core.Operand) []core.Operand {
		one := core.C(Number(l.index.Type.Elem, 1))
		i := in.b.Bin(prim.Sub, in.b.Bin(prim.Sub, l.bound, one), core.V(k.Var))
		sub := core.Subst{l.index.Var: i}
		at := in.b.Conv(i, prim.I64)
		args := make([]core.Operand, len(l.e.Params))
		for j, p := range l.e.Params {
			args[j] = in.b.Index(in.b.Fun.Base(p.Var), l.tapes[j], at)
			sub[p.Var] = args[j]
			l.c.depends[args[j].Var] = Active(p.Type, l.c.integers)
		}
		res, back := l.c.rerun(in.b, l.e.Body, sub)
		for j, i := range active {
			in.add(res[i], ps[n+j], owned)
		}
		back(in)
		var out []core.Operand
		for _, i := range active {
			out = append(out, in.own(args[i].Var))
		}
		return out
	})
	out := carried.bind(r, &core.Loop{Params: carried.params, Init: carried.init, Index: k, Bound: l.bound, Body: body})
	for j, i := range active {
		r.add(l.e.Init[i], out[j], owned)
	}
}

// ownCopy is x, or a copy that may be consumed.
func ownCopy(b *core.Builder, x core.Operand) core.Operand {
	if !b.TypeOf(x).IsArray() {
		return x
	}
	return b.Let("adj", &core.Copy{Array: x.Var})
}

// carried are the adjoints that a loop of a return sweep passes from one iteration to the next: those of variables that its body uses,
// then others.
type carried struct {
	vars   []core.Var
	params []core.Param
	init   []core.Operand
}

// newCarried starts with the adjoints of the variables in free that depend.
func newCarried(r *sweep, free *core.VarSet) *carried {
	c := &carried{}
	for _, v := range r.free(free) {
		if !r.wants(r.b, core.V(v)) {
			continue
		}
		c.vars = append(c.vars, v)
		if a, ok := r.acc[v]; ok {
			p := core.Param{Var: r.b.Fun.Fresh("acc"), Type: r.b.Scope.TypeOf(a)}
			r.b.Scope.Bind(p)
			c.params, c.init = append(c.params, p), append(c.init, core.V(a))
			continue
		}
		t := r.b.Scope.TypeOf(v)
		c.param(t, fit(r.b, r.own(v), t))
	}
	for i := range c.params {
		r.b.Scope.Bind(c.params[i])
	}
	return c
}

// param adds a parameter, an array of which is consumed.
func (c *carried) param(t core.Type, init core.Operand) {
	c.params = append(c.params, core.Param{Type: t, Unique: t.IsArray()})
	c.init = append(c.init, init)
}

// body makes the body of the loop: f returns the new values of what was added to the variables' adjoints.
func (c *carried) body(r *sweep, f func(in *sweep, ps []core.Operand) []core.Operand) *core.Body {
	for i := range c.params {
		if c.params[i].Var == 0 {
			c.params[i].Var = r.b.Fun.Fresh("adj")
			r.b.Scope.Bind(c.params[i])
		}
	}
	in := r.nested()
	in.adj, in.acc = map[core.Var]adjoint{}, maps.Clone(r.acc)
	for i, v := range c.vars {
		if _, ok := r.acc[v]; ok {
			in.acc[v] = c.params[i].Var
		} else {
			in.adj[v] = adjoint{core.V(c.params[i].Var), true}
		}
	}
	extra := f(in, core.Vars(core.ParamVars(c.params)))
	var res []core.Operand
	for _, v := range c.vars {
		if a, ok := in.acc[v]; ok {
			res = append(res, core.V(a))
		} else {
			res = append(res, in.own(v))
		}
	}
	return in.b.Body(append(res, extra...)...)
}

// bind adds the loop, notes the new adjoints of variables, and returns the other results.
func (c *carried) bind(r *sweep, loop core.Exp) []core.Operand {
	dst := core.FreshParams(r.b.Fun, c.params)
	for i := range dst {
		dst[i].Unique = false
	}
	r.b.Bind(dst, loop)
	for i, v := range c.vars {
		if _, ok := r.acc[v]; ok {
			r.acc[v] = dst[i].Var
		} else {
			r.adj[v] = adjoint{core.V(dst[i].Var), true}
		}
	}
	return core.Vars(core.ParamVars(dst[len(c.vars):]))
}

// call is stm for calls: the function's body takes the place of the call.
func (c *reverser) call(b *core.Builder, s *core.Stm, e *core.Call) back {
	f := c.Fun(e.Fun)
	depends := c.dependent(s)
	if !depends {
		c.emit(b, s)
		return nil
	}
	if f == nil {
		panic(Unsupported("the recursive function " + e.Fun))
	}
	if c.recursive(f, f.Name, map[string]bool{}) {
		return c.recursion(b, s, e, f)
	}
	caller := c.caller
	c.caller = s.Aux.Where
	res, back := c.forward(b, c.callee(b, f, e))
	c.caller = caller
	for i, p := range s.Dst {
		c.inlined[p.Var] = res[i]
	}
	return back
}

// custom is stm for functions with a derivative by the programmer. They keep it, for derivatives of this one.
func (c *reverser) custom(b *core.Builder, s *core.Stm, e *core.WithVjp) back {
	c.emit(b, s)
	if !slices.ContainsFunc(e.Args, func(x core.Operand) bool { return c.wants(b, x) }) {
		return nil
	}
	ys := s.Dst[e.Sizes:]
	for i, y := range ys {
		c.depends[y.Var] = !slices.Contains(e.InertResults, i) && Active(y.Type, c.integers)
	}
	return func(r *sweep) {
		if _, _, some := r.takeAll(ys); !some {
			return
		}
		given := core.Vars(core.ParamVars(s.Dst))
		for i, y := range ys {
			if slices.Contains(e.InertResults, i) {
				given = append(given, core.V(y.Var))
			} else {
				given = append(given, fit(r.b, r.orZero(y.Var), y.Type))
			}
		}
		for i, dx := range r.b.Apply(e.Back, renamed, given...) {
			r.add(e.Args[i], dx, shared)
		}
	}
}

// callee is a copy of the body of f, for the arguments of a call.
func (c *reverser) callee(b *core.Builder, f *core.Fun, e *core.Call) *core.Body {
	sub := core.Subst{}
	for i, p := range f.Params {
		sub[p.Var] = e.Args[i]
	}
	for _, g := range f.Globals {
		sub[g.Param.Var] = core.V(b.Fun.Global(f, g))
	}
	for _, g := range b.Fun.Globals {
		b.Scope.Bind(g.Param)
	}
	copied := core.NewRenamer(b.Fun, f, sub).Body(f.Body)
	b.Scope.BindBody(copied)
	return copied
}

// withoutCalls is a copy of an operator in which calls are inlined, so that it shows what it is.
func (c *reverser) withoutCalls(b *core.Builder, l *core.Lambda) *core.Lambda {
	l = core.RenameLambda(b.Fun, l)
	b.Scope.BindLambda(l)
	return &core.Lambda{Params: l.Params, Ret: l.Ret, Body: b.Build(func(b *core.Builder) []core.Operand {
		return c.inlineCalls(b, l.Body)
	})}
}

// inlineCalls adds the statements of body without calls and second names, and returns its results.
func (c *reverser) inlineCalls(b *core.Builder, body *core.Body) []core.Operand {
	for _, s := range body.Stms {
		s = c.inlined.Stm(s)
		switch e := core.Match(s.Exp).(type) {
		case *core.Call:
			if f := c.Fun(e.Fun); f != nil && !c.recursive(f, f.Name, map[string]bool{}) {
				for i, x := range c.inlineCalls(b, c.callee(b, f, e)) {
					c.inlined[s.Dst[i].Var] = x
				}
				continue
			}
		case *core.Use:
			if len(s.Aux.Certs) == 0 {
				c.inlined[s.Dst[0].Var] = e.X
				continue
			}
		default:
		}
		exp := core.MapBodies(s.Exp, func(body *core.Body) *core.Body {
			return b.Build(func(b *core.Builder) []core.Operand { return c.inlineCalls(b, body) })
		})
		b.Add(&core.Stm{Dst: s.Dst, Exp: exp, Aux: s.Aux})
	}
	res := make([]core.Operand, len(body.Res))
	for i, x := range body.Res {
		res[i] = c.inlined.Operand(x)
	}
	return res
}

// recursive reports whether f calls the function of that name.
func (c *reverser) recursive(f *core.Fun, name string, seen map[string]bool) bool {
	found := false
	core.Walk(f.Body, func(s *core.Stm) bool {
		if call, ok := s.Exp.(*core.Call); ok && !seen[call.Fun] {
			seen[call.Fun] = true
			g := c.Fun(call.Fun)
			found = found || call.Fun == name || g == nil || c.recursive(g, name, seen)
		}
		return !found
	})
	return found
}
