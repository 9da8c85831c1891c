package derive

import (
	"maps"

	"skald/middle/core"
)

// recursion is stm for calls of a recursive function: its twin returns the adjoints of the arguments.
func (c *reverser) recursion(b *core.Builder, s *core.Stm, e *core.Call, f *core.Fun) back {
	own := map[core.Var]bool{}
	for _, r := range f.Ret {
		own[r.Var] = true
	}
	for _, r := range f.Ret {
		for _, v := range core.FreeInType(r.Type).List() {
			if own[v] {
				panic(Unsupported("the recursive function " + f.Name + ", whose result has a size of its own"))
			}
		}
	}
	twin := c.backTwin(f)
	c.emit(b, s)
	return func(r *sweep) {
		if _, _, some := r.takeAll(s.Dst); !some {
			return
		}
		args := append([]core.Operand(nil), e.Args...)
		for _, p := range s.Dst {
			if Active(p.Type, c.integers) {
				args = append(args, r.orZero(p.Var))
			}
		}
		sub := core.Subst{}
		for i, p := range f.Params {
			sub[p.Var] = e.Args[i]
		}
		var active []core.Operand
		var types []core.Type
		for i, p := range f.Params {
			if Active(p.Type, c.integers) {
				active, types = append(active, e.Args[i]), append(types, sub.Type(p.Type))
			}
		}
		for i, dx := range r.b.LetTypes("adj", types, &core.Call{Fun: twin, Args: args}) {
			r.add(active[i], dx, shared)
		}
	}
}

// backTwin returns the name of the function that returns the adjoints of the parameters of f. It takes f's arguments and the adjoints of
// f's results.
func (c *reverser) backTwin(f *core.Fun) string {
	k := twinOf{f.Name, c.integers}
	if twin, ok := c.backs[k]; ok {
		return twin
	}
	if c.backs == nil {
		c.Deriver.backs = map[twinOf]string{}
	}
	before, done := maps.Clone(c.backs), false
	defer func() {
		if !done {
			// Something in f is not supported. Twins that were made meanwhile may call its twin.
			c.Deriver.backs = before
		}
	}()
	twin := c.Name(f.Name + "_vjp")
	c.backs[k] = twin
	out := &core.Fun{Name: twin, Globals: f.Globals, Attrs: f.Attrs, Names: append([]string(nil), f.Names...)}
	b := core.NewBuilder(out, core.ScopeOf(f))
	b.Scope.BindAll(f.Ret)
	in := newReverser(c.Deriver, c.integers)
	for _, p := range f.Params {
		// What is consumed is copied before, so that arguments keep their values.
		p.Unique = false
		out.Params = append(out.Params, p)
		in.depends[p.Var] = Active(p.Type, c.integers)
	}
	r := &sweep{reverser: in, b: b, adj: map[core.Var]adjoint{}, acc: map[core.Var]core.Var{}}
	res, back := in.forward(b, f.Body)
	for i, p := range f.Ret {
		if Active(p.Type, c.integers) {
			dy := b.Param("dy", p.Type)
			out.Params = append(out.Params, dy)
			r.add(res[i], core.V(dy.Var), shared)
		}
	}
	back(r)
	var adjoints []core.Operand
	for _, p := range f.Params {
		if Active(p.Type, c.integers) {
			adjoints = append(adjoints, r.orZero(p.Var))
			out.Ret = append(out.Ret, b.Param("r", p.Type))
		}
	}
	out.Body = b.Body(adjoints...)
	c.Add(out)
	done = true
	return twin
}
