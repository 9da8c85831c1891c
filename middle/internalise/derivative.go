package internalise

import (
	"skald/frontend/source"
	"skald/frontend/types"
	"skald/middle/core"
	"skald/middle/derive"
)

// Note [Derivatives]
//
// A function that is differentiated is translated in place, and package derive makes its tangents (jvp), or runs it and makes a return
// sweep (vjp). What the latter does not cover is put together from tangents: for each element of the argument there is one run of the
// function, in which that element alone has a tangent, one; the scalar product of the result's tangents and the given adjoint is the
// element's adjoint. This is right, but where the argument is large and the result small, it does more work than a return sweep would.
//
// The tag of a sum has no derivative. Where a tangent or adjoint is a sum, it is made by the constructor that made the value.

// differentiated is a function that is being differentiated, translated for an argument: see Note [Derivatives].
type differentiated struct {
	body *core.Body
	args []core.Operand // all of them variables
	at   source.Span
	// inertArgs and inertResults tell the components that have no derivatives.
	inertArgs, inertResults []bool
	// integers says that integers and truth values have derivatives: that there are some in the argument, or that floats are converted
	// to them.
	integers bool
}

// inert tells which components of t have no derivatives.
func inert(t types.Type) []bool {
	var out []bool
	for _, c := range components(t) {
		out = append(out, c.inert)
	}
	return out
}

// differentiate translates a function for the argument xs: see Note [Derivatives].
func (s *scope) differentiate(fun types.Exp, xs []core.Operand) differentiated {
	lam := fun.(*types.Lambda)
	t := lam.Params[0].Pat.Base().Type
	d := differentiated{
		args: make([]core.Operand, len(xs)), at: lam.At, inertArgs: inert(t), inertResults: inert(lam.Ret.Type),
	}
	for i, x := range xs {
		d.args[i] = s.b.Let("x", &core.Use{X: x})
		d.integers = d.integers || !d.inertArgs[i] && !s.b.TypeOf(x).Elem.IsFloat()
	}
	d.body = s.build(func(in *scope) []core.Operand {
		in = in.nest()
		in.bindSizes(lam.Params[0].Sizes, t, d.args)
		in.bind(lam.Params[0].Pat, d.args)
		return in.exp(lam.Body)
	})
	d.integers = d.integers || s.deriver.NeedsIntegers(d.body)
	return d
}

// by lists the arguments that have derivatives.
func (d differentiated) by() []core.Var {
	var out []core.Var
	for i, x := range d.args {
		if !d.inertArgs[i] {
			out = append(out, x.Var)
		}
	}
	return out
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

// tangents sets the tangents of the arguments to dargs, of those that have any.
func (d differentiated) tangents(b *core.Builder, dargs []core.Operand) derive.Tangents {
	tan := derive.Tangents{}
	for i, x := range d.args {
		if !d.inertArgs[i] && derive.Active(b.TypeOf(x), d.integers) {
			tan[x.Var] = dargs[i]
		}
	}
	return tan
}

// orZero converts the derivatives dxs of xs to the types of these: zeros where there are none, and the value of what is inert.
func (s *scope) orZero(xs, dxs []core.Operand, inert []bool) []core.Operand {
	out := make([]core.Operand, len(xs))
	for i, x := range xs {
		t := s.b.TypeOf(x)
		switch {
		case inert[i]:
			out[i] = x
		case dxs[i] == derive.None:
			out[i] = s.zero(t)
		default:
			out[i] = s.ensure(dxs[i], t)
		}
	}
	return out
}

// jvp translates the derivative of a function at x in direction dx: the result, and its tangent.
func (s *scope) jvp(e *types.Builtin) []core.Operand {
	dx, x := s.exp(e.Args[2]), s.exp(e.Args[1])
	s.at(e.At)
	d := s.differentiate(e.Args[0], x)
	res, dres := s.derive(d, d.tangents(s.b, s.ensureAll(dx, s.typesOf(d.args))))
	return append(res, s.orZero(res, dres, d.inertResults)...)
}

// jmp is jvp for an array of directions.
func (s *scope) jmp(e *types.Builtin) []core.Operand {
	dxs, x := s.exp(e.Args[2]), s.exp(e.Args[1])
	s.at(e.At)
	d := s.differentiate(e.Args[0], x)
	results, _ := s.derive(d, derive.Tangents{})
	n := s.outerSize(dxs)
	arrays := s.withOuter(n, dxs)
	f := s.b.Lambda("dx", s.rows(arrays), s.typesOf(results), func(b *core.Builder, dx []core.Operand) []core.Operand {
		in := s.in(b)
		_, dres := in.derive(d, d.tangents(b, in.ensureAll(dx, in.typesOf(d.args))))
		return in.orZero(results, dres, d.inertResults)
	})
	return append(results, s.b.LetN("dy", &core.Screma{Size: n, Arrays: arrays, Map: f})...)
}

// typesOf returns the types of operands.
func (s *scope) typesOf(xs []core.Operand) []core.Type {
	ts := make([]core.Type, len(xs))
	for i, x := range xs {
		ts[i] = s.b.TypeOf(x)
	}
	return ts
}
