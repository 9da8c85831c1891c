package internalise

import (
	"skald/frontend/source"
	"skald/frontend/types"
	"skald/middle/core"
	"skald/middle/derive"
	"skald/runtime/prim"
)

// Note [Derivatives]
//
// A function that is differentiated is translated in place, and package derive makes its tangents: that is jvp. A derivative in reverse
// mode is put together from those in forward mode: for each element of the argument there is one run of the function, in which that
// element alone has a tangent, one; the scalar product of the result's tangents and the given adjoint is the element's adjoint. This is
// right, but where the argument is large and the result small, it does more work than a return sweep would.

// differentiated is a function that is being differentiated, translated for an argument.
type differentiated struct {
	body *core.Body
	args []core.Operand // all of them variables
	at   source.Span
	// integers says that integers have derivatives: that there are some in the argument, or that floats are converted to them.
	integers bool
	// results are those of one run without tangents; their types are what the tangents have.
	results []core.Operand
}

// differentiate translates a function for the argument xs.
func (s *scope) differentiate(fun types.Exp, xs []core.Operand) differentiated {
	lam := fun.(*types.Lambda)
	d := differentiated{args: make([]core.Operand, len(xs)), at: lam.At}
	for i, x := range xs {
		d.args[i] = s.b.Let("x", &core.Use{X: x})
		d.integers = d.integers || s.b.TypeOf(x).Elem.IsInt()
	}
	d.body = s.build(func(in *scope) []core.Operand {
		in = in.nest()
		t := lam.Params[0].Pat.Base().Type
		in.bindSizes(lam.Params[0].Sizes, t, d.args)
		in.bind(lam.Params[0].Pat, d.args)
		return in.exp(lam.Body)
	})
	d.integers = d.integers || s.deriver.NeedsIntegers(d.body)
	d.results, _ = s.derive(d, derive.Tangents{})
	return d
}

// derive adds a run of d with the given tangents. What has no tangent gets zero for one.
func (s *scope) derive(d differentiated, tangents derive.Tangents) (res, dres []core.Operand) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case derive.Unsupported:
			s.ctx.Limit(d.at, "%s cannot be differentiated in compiled code yet; the interpreter does it", string(r))
		default:
			panic(r)
		}
	}()
	return s.deriver.Body(s.b, d.body, tangents, d.integers)
}

// tangents gives the arguments the tangents dargs, those that have any.
func (d differentiated) tangents(b *core.Builder, dargs []core.Operand) derive.Tangents {
	tan := derive.Tangents{}
	for i, x := range d.args {
		if derive.Active(b.TypeOf(x), d.integers) {
			tan[x.Var] = dargs[i]
		}
	}
	return tan
}

// orZero gives the tangents dres of results the types of these, and zeros where there are none.
func (s *scope) orZero(results, dres []core.Operand) []core.Operand {
	out := make([]core.Operand, len(results))
	for i, x := range results {
		t := s.b.TypeOf(x)
		if dres[i] == (core.Operand{}) {
			out[i] = s.zero(t)
		} else {
			out[i] = s.ensure(dres[i], t)
		}
	}
	return out
}

// jvp translates the derivative of a function at x in direction dx: the result, and its tangent.
func (s *scope) jvp(e *types.Builtin) []core.Operand {
	dx, x := s.exp(e.Args[2]), s.exp(e.Args[1])
	s.at(e.At)
	d := s.differentiate(e.Args[0], x)
	_, dres := s.derive(d, d.tangents(s.b, s.ensureAll(dx, s.typesOf(d.args))))
	return append(d.results, s.orZero(d.results, dres)...)
}

// jmp is jvp for an array of directions.
func (s *scope) jmp(e *types.Builtin) []core.Operand {
	dxs, x := s.exp(e.Args[2]), s.exp(e.Args[1])
	s.at(e.At)
	d := s.differentiate(e.Args[0], x)
	n := s.outerSize(dxs)
	arrays := s.withOuter(n, dxs)
	f := s.b.Lambda("dx", s.rows(arrays), s.typesOf(d.results), func(b *core.Builder, dx []core.Operand) []core.Operand {
		in := s.in(b)
		_, dres := in.derive(d, d.tangents(b, in.ensureAll(dx, in.typesOf(d.args))))
		return in.orZero(d.results, dres)
	})
	return append(d.results, s.b.LetN("dy", &core.Screma{Size: n, Arrays: arrays, Map: f})...)
}

// vjp translates the derivative of a function at x for an adjoint dy of its result: the result, and the adjoint of x.
func (s *scope) vjp(e *types.Builtin) []core.Operand {
	dy, x := s.exp(e.Args[2]), s.exp(e.Args[1])
	s.at(e.At)
	d := s.differentiate(e.Args[0], x)
	return append(d.results, s.adjoints(d, dy)...)
}

// mjp is vjp for an array of adjoints.
func (s *scope) mjp(e *types.Builtin) []core.Operand {
	dys, x := s.exp(e.Args[2]), s.exp(e.Args[1])
	s.at(e.At)
	d := s.differentiate(e.Args[0], x)
	n := s.outerSize(dys)
	arrays := s.withOuter(n, dys)
	f := s.b.Lambda("dy", s.rows(arrays), s.typesOf(d.args), func(b *core.Builder, dy []core.Operand) []core.Operand {
		return s.in(b).adjoints(d, dy)
	})
	return append(d.results, s.b.LetN("dx", &core.Screma{Size: n, Arrays: arrays, Map: f})...)
}

// adjoints gives the adjoint of each component of the argument.
func (s *scope) adjoints(d differentiated, dy []core.Operand) []core.Operand {
	out := make([]core.Operand, len(d.args))
	for i, x := range d.args {
		t := s.b.TypeOf(x)
		switch {
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

// arrayAdjoint gives the adjoint of x, an array of type t, element by element.
func (s *scope) arrayAdjoint(d differentiated, dy []core.Operand, x core.Operand, t core.Type) core.Operand {
	n := s.b.Product(t.Shape...)
	is := s.b.LetVar("iota", &core.Iota{Type: prim.I64, N: n, Start: core.Int(0), Step: core.Int(1)})
	elem := core.Scalar(t.Elem)
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
		if dx == (core.Operand{}) {
			continue
		}
		p := s.componentProduct(dx, dy[i])
		sum = s.b.Bin(prim.Add, sum, s.b.Conv(p, t))
	}
	return sum
}

// componentProduct is the scalar product of two scalars or arrays.
func (s *scope) componentProduct(x, y core.Operand) core.Operand {
	t := s.b.TypeOf(x)
	if !t.IsArray() {
		return s.b.Bin(prim.Mul, x, y)
	}
	n := s.b.Product(t.Shape...)
	elem := core.Scalar(t.Elem)
	flat := core.ArrayOf(elem, n)
	two := []core.Type{elem, elem}
	operator := func(op prim.BinOp) *core.Lambda {
		return s.b.Lambda("x", two, two[:1], func(b *core.Builder, ps []core.Operand) []core.Operand {
			return []core.Operand{b.Bin(op, ps[0], ps[1])}
		})
	}
	return s.b.Let("sum", &core.Screma{
		Size: n, Arrays: vars([]core.Operand{s.ensure(x, flat), s.ensure(y, flat)}), Map: operator(prim.Mul),
		Reds: []core.Operator{{Lambda: operator(prim.Add), Neutral: []core.Operand{core.C(prim.Zero(t.Elem))}, Commutative: true}},
	})
}

// typesOf gives the types of operands.
func (s *scope) typesOf(xs []core.Operand) []core.Type {
	ts := make([]core.Type, len(xs))
	for i, x := range xs {
		ts[i] = s.b.TypeOf(x)
	}
	return ts
}
