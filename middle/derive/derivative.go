package derive

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Derivatives]
//
// In forward mode there is one run of the function, with tangents. In reverse mode it is run, and a return sweep made. What the latter does
// not cover is put together from tangents: for each element of the argument there is one run of the
// function, in which that element alone has a tangent, one; the scalar product of the result's tangents and the given adjoint is the
// element's adjoint. This is right, but where the argument is large and the result small, it does more work than a return sweep would.

// derivation is a core.Derivative whose code is being made, by a builder: see Note [Derivatives].
type derivation struct {
	*program
	b   *core.Builder
	stm *core.Stm
	e   *core.Derivative
	// args are the parameters of the function, which are variables of the code around it by now.
	args []core.Operand
	// sizes counts the results that are sizes.
	sizes int
	// integers says that integers and truth values have derivatives: that there are some in the argument, or that floats are converted
	// to them.
	integers bool
}

// derivative adds code that computes what s, whose expression is e, computes.
func (p *program) derivative(b *core.Builder, s *core.Stm, e *core.Derivative) {
	where, attrs, certs := b.Where, b.Attrs, b.Certs
	defer func() { b.Where, b.Attrs, b.Certs = where, attrs, certs }()
	b.Where, b.Attrs, b.Certs = s.Aux.Where, s.Aux.Attrs, s.Aux.Certs
	one := *e
	e = &one
	e.Body = &core.Body{Stms: under(e.Body.Stms, s.Aux), Res: e.Body.Res}
	bindParams(b, e.Params, e.Args)
	d := &derivation{program: p, b: b, stm: s, e: e, args: core.Vars(core.ParamVars(e.Params))}
	d.sizes, _ = e.Results(s.Dst)
	d.integers = e.Integers() || p.deriver.NeedsIntegers(e.Body)
	var values []core.Operand
	switch {
	case e.Reverse:
		values = d.reverse()
	case e.IsMany():
		values = d.manyForward()
	default:
		res, dres := d.run(b, d.tangents(e.Seeds))
		values = append(res, d.orZero(b, res[d.sizes:], dres[d.sizes:], e.InertResults)...)
	}
	b.Attrs, b.Certs = nil, nil
	bindResults(b, s.Dst, values)
}

func (d *derivation) inertArg(i int) bool    { return slices.Contains(d.e.InertArgs, i) }
func (d *derivation) inertResult(i int) bool { return slices.Contains(d.e.InertResults, i) }

// in is d with another builder.
func (d *derivation) in(b *core.Builder) *derivation {
	out := *d
	out.b = b
	return &out
}

// run adds a run of the function with the given tangents. What has no tangent gets zero for one.
func (d *derivation) run(b *core.Builder, tangents Tangents) (res, dres []core.Operand) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case Unsupported:
			d.ctx.LimitAt(d.stm.Aux.Where.Place(), "%s cannot be differentiated in compiled code yet; the interpreter does it", string(r))
		default:
			panic(r)
		}
	}()
	return d.deriver.Body(b, d.e.Body, tangents, d.integers)
}

// tangents sets the tangents of the arguments to dargs, of those that have any.
func (d *derivation) tangents(dargs []core.Operand) Tangents {
	tan := Tangents{}
	for i, x := range d.args {
		if t := d.b.TypeOf(x); !d.inertArg(i) && Active(t, d.integers) {
			tan[x.Var] = fit(d.b, dargs[i], t)
		}
	}
	return tan
}

// orZero converts the derivatives dxs of xs to the types of these: zeros where there are none, and the value of what is inert.
func (d *derivation) orZero(b *core.Builder, xs, dxs []core.Operand, inert []int) []core.Operand {
	out := make([]core.Operand, len(xs))
	for i, x := range xs {
		t := b.TypeOf(x)
		switch {
		case slices.Contains(inert, i):
			out[i] = x
		case dxs[i] == None:
			out[i] = zeroOf(b, t)
		default:
			out[i] = fit(b, dxs[i], t)
		}
	}
	return out
}

// manyForward adds the function and, for an array of directions, its tangents.
func (d *derivation) manyForward() []core.Operand {
	results, _ := d.run(d.b, Tangents{})
	ys := results[d.sizes:]
	dys := d.mapped(d.b, "dx", typesOf(d.b, ys), func(in *derivation, dx []core.Operand) []core.Operand {
		_, dres := in.run(in.b, in.tangents(dx))
		return in.orZero(in.b, ys, dres[d.sizes:], d.e.InertResults)
	})
	return append(results, dys...)
}

// mapped adds a map over the seeds.
func (d *derivation) mapped(b *core.Builder, base string, ret []core.Type,
	f func(in *derivation, seeds []core.Operand) []core.Operand,
) []core.Operand {
	arrays := core.VarsOf(d.e.Seeds)
	l := b.Lambda(base, b.Rows(arrays), ret, func(b *core.Builder, ps []core.Operand) []core.Operand { return f(d.in(b), ps) })
	return b.LetN("d", &core.Screma{Size: d.e.Many, Arrays: arrays, Map: l})
}

func typesOf(b *core.Builder, xs []core.Operand) []core.Type {
	ts := make([]core.Type, len(xs))
	for i, x := range xs {
		ts[i] = b.TypeOf(x)
	}
	return ts
}

// reverse adds the function and the adjoints of its arguments, by a return sweep if possible.
func (d *derivation) reverse() []core.Operand {
	b := d.b.Nested()
	b.Where, b.Attrs, b.Certs = d.b.Where, d.b.Attrs, d.b.Certs
	var values []core.Operand
	if covered(func() { values = d.byReturn(b) }) {
		d.b.Add(b.Stms()...)
		return values
	}
	results, _ := d.run(d.b, Tangents{})
	if !d.e.IsMany() {
		return append(results, d.adjoints(d.e.Seeds)...)
	}
	return append(results, d.mapped(d.b, "dy", typesOf(d.b, d.args), func(in *derivation, dy []core.Operand) []core.Operand {
		return in.adjoints(dy)
	})...)
}

// covered reports whether f runs through: whether reverse mode covers all constructs that it comes across.
func covered(f func()) (ok bool) {
	defer func() {
		switch r := recover().(type) {
		case nil, Unsupported:
		default:
			panic(r)
		}
	}()
	f()
	return true
}

// byReturn is reverse by a return sweep.
func (d *derivation) byReturn(b *core.Builder) []core.Operand {
	var by []core.Var
	for i, x := range d.args {
		if !d.inertArg(i) {
			by = append(by, x.Var)
		}
	}
	results, ret := d.deriver.Forward(b, d.e.Body, by, d.integers)
	sweep := func(b *core.Builder, dys []core.Operand) []core.Operand {
		seeds := nones(len(results))
		for i, dy := range dys {
			if !d.inertResult(i) {
				seeds[d.sizes+i] = fit(b, dy, b.TypeOf(results[d.sizes+i]))
			}
		}
		return d.orZero(b, d.args, ret.Sweep(b, seeds, core.VarsOf(d.args)), d.e.InertArgs)
	}
	if !d.e.IsMany() {
		return append(results, sweep(b, d.e.Seeds)...)
	}
	return append(results, d.mapped(b, "dy", typesOf(b, d.args), func(in *derivation, dys []core.Operand) []core.Operand {
		return sweep(in.b, dys)
	})...)
}

// adjoints returns the adjoint of each argument, put together from tangents.
func (d *derivation) adjoints(dys []core.Operand) []core.Operand {
	out := make([]core.Operand, len(d.args))
	for i, x := range d.args {
		t := d.b.TypeOf(x)
		switch {
		case d.inertArg(i):
			out[i] = x
		case !Active(t, d.integers):
			out[i] = zeroOf(d.b, t)
		case t.IsArray():
			out[i] = d.arrayAdjoint(dys, x, t)
		default:
			one := core.C(Number(t.Elem, 1))
			out[i] = d.product(dys, Tangents{x.Var: one}, t.Elem)
		}
	}
	return out
}

// arrayAdjoint returns the adjoint of x, an array of type t, element by element.
func (d *derivation) arrayAdjoint(dys []core.Operand, x core.Operand, t core.Type) core.Operand {
	n := d.b.Product(t.Shape...)
	elem := core.ScalarType(t.Elem)
	f := d.b.Lambda("i", []core.Type{core.I64}, []core.Type{elem}, func(b *core.Builder, ps []core.Operand) []core.Operand {
		seed := b.Update(zeroOf(b, core.ArrayOf(elem, n)).Var, core.C(Number(t.Elem, 1)), ps[0])
		return []core.Operand{d.in(b).product(dys, Tangents{x.Var: fit(b, core.V(seed), t)}, t.Elem)}
	})
	return fit(d.b, d.b.Let("dx", &core.Screma{Size: n, Arrays: []core.Var{counter(d.b, n)}, Map: f}), t)
}

// product is the scalar product of dys and the tangents of the function's results, as a number of type t.
func (d *derivation) product(dys []core.Operand, tangents Tangents, t prim.Type) core.Operand {
	_, dres := d.run(d.b, tangents)
	total := core.C(prim.Zero(t))
	for i, dx := range dres[d.sizes:] {
		if dx != None && !d.inertResult(i) {
			total = Add(d.b, total, d.b.Conv(scalarProduct(d.b, dx, dys[i]), t))
		}
	}
	return total
}

// scalarProduct is the scalar product of two scalars or arrays.
func scalarProduct(b *core.Builder, x, y core.Operand) core.Operand {
	t := b.TypeOf(x)
	if !t.IsArray() {
		return Mul(b, x, y)
	}
	n := b.Product(t.Shape...)
	elem := core.ScalarType(t.Elem)
	flat := core.ArrayOf(elem, n)
	two := []core.Type{elem, elem}
	times := b.Lambda("x", two, two[:1], func(b *core.Builder, ps []core.Operand) []core.Operand {
		return []core.Operand{Mul(b, ps[0], ps[1])}
	})
	return b.Let("sum", &core.Screma{
		Size: n, Arrays: core.VarsOf([]core.Operand{fit(b, x, flat), fit(b, y, flat)}), Map: times,
		Reds: []core.Operator{{Lambda: addition(b, elem), Neutral: []core.Operand{core.C(prim.Zero(t.Elem))}, Commutative: true}},
	})
}
