package internalise

import (
	"skald/frontend/types"
	"skald/middle/core"
	"skald/middle/derive"
	"skald/runtime/prim"
)

// vjp translates the derivative of a function at x for an adjoint dy of its result: the result, and the adjoint of x.
func (s *scope) vjp(e *types.Builtin) []core.Operand {
	dy, x := s.exp(e.Args[2]), s.exp(e.Args[1])
	s.at(e.At)
	d := s.differentiate(e.Args[0], x)
	if b, f, ok := s.forward(d); ok {
		if dx, ok := s.sweep(b, f, d, dy); ok {
			s.b.Add(b.Stms()...)
			return append(f.results, dx...)
		}
	}
	results, _ := s.derive(d, derive.Tangents{})
	return append(results, s.adjoints(d, dy)...)
}

// mjp is vjp for an array of adjoints.
func (s *scope) mjp(e *types.Builtin) []core.Operand {
	dys, x := s.exp(e.Args[2]), s.exp(e.Args[1])
	s.at(e.At)
	d := s.differentiate(e.Args[0], x)
	n := s.outerSize(dys)
	arrays := s.withOuter(n, dys)
	b, f, ok := s.forward(d)
	var l *core.Lambda
	if ok {
		l = b.Lambda("dy", s.rows(arrays), s.typesOf(d.args), func(b *core.Builder, dy []core.Operand) (dx []core.Operand) {
			dx, ok = s.sweep(b, f, d, dy)
			return dx
		})
	}
	results := f.results
	if ok {
		s.b.Add(b.Stms()...)
	} else {
		results, _ = s.derive(d, derive.Tangents{})
		l = s.b.Lambda("dy", s.rows(arrays), s.typesOf(d.args), func(b *core.Builder, dy []core.Operand) []core.Operand {
			return s.in(b).adjoints(d, dy)
		})
	}
	return append(results, s.b.LetN("dx", &core.Screma{Size: n, Arrays: arrays, Map: l})...)
}

// swept is a function that has run, ready for return sweeps.
type swept struct {
	results []core.Operand
	ret     *derive.Return
}

// covered reports whether f runs through: whether package derive knows all constructs that it comes across.
func covered(f func()) (ok bool) {
	defer func() {
		switch r := recover().(type) {
		case nil, derive.Unsupported:
		default:
			panic(r)
		}
	}()
	f()
	return true
}

// forward makes the code of a run of d from which return sweeps can start. ok is false if d has a construct that reverse mode does not
// cover.
func (s *scope) forward(d differentiated) (b *core.Builder, f swept, ok bool) {
	b = s.b.Nested()
	ok = covered(func() { f.results, f.ret = s.deriver.Forward(b, d.body, d.by(), d.integers) })
	return b, f, ok
}

// sweep adds a return sweep to b, and returns the adjoint of each component of the argument.
func (s *scope) sweep(b *core.Builder, f swept, d differentiated, dy []core.Operand) (out []core.Operand, ok bool) {
	in := s.in(b)
	seeds := in.ensureAll(dy, in.typesOf(f.results))
	for i, inert := range d.inertResults {
		if inert {
			seeds[i] = derive.None
		}
	}
	dx := make([]core.Operand, len(d.args))
	ok = covered(func() {
		dx = f.ret.Sweep(b, seeds, vars(d.args))
		out = in.orZero(d.args, dx, d.inertArgs)
	})
	return out, ok
}

// adjoints returns the adjoint of each component of the argument.
func (s *scope) adjoints(d differentiated, dy []core.Operand) []core.Operand {
	out := make([]core.Operand, len(d.args))
	for i, x := range d.args {
		t := s.b.TypeOf(x)
		switch {
		case d.inertArgs[i]:
			out[i] = x
		case !derive.Active(t, d.integers):
			out[i] = s.zero(t)
		case t.IsArray():
			out[i] = s.arrayAdjoint(d, dy, x, t)
		default:
			one := core.C(derive.Number(t.Elem, 1))
			out[i] = s.product(d, dy, derive.Tangents{x.Var: one}, t.Elem)
		}
	}
	return out
}

// arrayAdjoint returns the adjoint of x, an array of type t, element by element.
func (s *scope) arrayAdjoint(d differentiated, dy []core.Operand, x core.Operand, t core.Type) core.Operand {
	n := s.b.Product(t.Shape...)
	is := s.b.LetVar("iota", &core.Iota{Type: prim.I64, N: n, Start: core.Int(0), Step: core.Int(1)})
	elem := core.ScalarType(t.Elem)
	f := s.b.Lambda("i", []core.Type{core.I64}, []core.Type{elem}, func(b *core.Builder, ps []core.Operand) []core.Operand {
		in := s.in(b)
		seed := b.Update(in.zero(core.ArrayOf(elem, n)).Var, core.C(derive.Number(t.Elem, 1)), ps[0])
		return []core.Operand{in.product(d, dy, derive.Tangents{x.Var: in.ensure(core.V(seed), t)}, t.Elem)}
	})
	return s.ensure(s.b.Let("dx", &core.Screma{Size: n, Arrays: []core.Var{is}, Map: f}), t)
}

// product is the scalar product of dy and the tangents of d's results, as a number of type t.
func (s *scope) product(d differentiated, dy []core.Operand, tangents derive.Tangents, t prim.Type) core.Operand {
	_, dres := s.derive(d, tangents)
	sum := core.C(prim.Zero(t))
	for i, dx := range dres {
		if dx == derive.None || d.inertResults[i] {
			continue
		}
		p := s.componentProduct(dx, dy[i])
		sum = derive.Add(s.b, sum, s.b.Conv(p, t))
	}
	return sum
}

// componentProduct is the scalar product of two scalars or arrays.
func (s *scope) componentProduct(x, y core.Operand) core.Operand {
	t := s.b.TypeOf(x)
	if !t.IsArray() {
		return derive.Mul(s.b, x, y)
	}
	n := s.b.Product(t.Shape...)
	elem := core.ScalarType(t.Elem)
	flat := core.ArrayOf(elem, n)
	two := []core.Type{elem, elem}
	operator := func(op func(b *core.Builder, x, y core.Operand) core.Operand) *core.Lambda {
		return s.b.Lambda("x", two, two[:1], func(b *core.Builder, ps []core.Operand) []core.Operand {
			return []core.Operand{op(b, ps[0], ps[1])}
		})
	}
	return s.b.Let("sum", &core.Screma{
		Size: n, Arrays: vars([]core.Operand{s.ensure(x, flat), s.ensure(y, flat)}), Map: operator(derive.Mul),
		Reds: []core.Operator{{Lambda: operator(derive.Add), Neutral: []core.Operand{core.C(prim.Zero(t.Elem))}, Commutative: true}},
	})
}
