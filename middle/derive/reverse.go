package derive

import (
	"maps"

	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Reverse mode]
//
// A return sweep goes through the statements of a body from the last to the first and hands the adjoint of each result on to the operands.
// Needed for it are the values that the statements computed, so a body runs forward first (reverser.forward): its statements are added as
// they are, and each leaves a function that adds the code of its part of the return sweep (a back).
//
// What is inside branches, maps and loops runs again on the way back, from the same free variables: a branch in a branch of the return
// sweep, a map in a map whose results are the adjoints of the elements, each iteration of a loop from the values that its parameters had,
// which the loop keeps in arrays (the tape). So variables must keep their values: arrays that code consumes are copied before.
//
// Adjoints of arrays are updated in place where only an element of the array is read. In a map, where many points add to the adjoint of one
// array, it is an accumulator whose operator is addition; what is added to the adjoint of a part of that array, such as a row, goes to the
// accumulator (sweep.whole), so that a point that reads some elements of a row need not make an adjoint of the row. Functions are inlined,
// but for recursive ones, which get a twin, NAME_vjp, that returns adjoints.

// back adds a part of a return sweep. It is nil where there is none.
type back func(r *sweep)

// reverser is what the forward runs and return sweeps of one derivative share.
type reverser struct {
	*Deriver
	integers bool
	// depends holds the variables that depend on what the derivative is by.
	depends map[core.Var]bool
	// results of functions that were inlined stand for what their calls bound, and arrays for second names of them.
	inlined core.Subst
	// parts are the arrays that are parts of others.
	parts map[core.Var]*core.Index
	// caller is the call that is being inlined.
	caller *core.Site
	// shadows are the accumulators whose updates are being undone, by the parameter that they descend from.
	shadows map[core.Var]*shadow
}

func newReverser(d *Deriver, integers bool) *reverser {
	return &reverser{
		Deriver: d, integers: integers, depends: map[core.Var]bool{}, inlined: core.Subst{}, parts: map[core.Var]*core.Index{},
		shadows: map[core.Var]*shadow{},
	}
}

// Return is the return sweep of code that has run.
type Return struct{ back back }

// Forward adds the code of body to b, and returns its results and the return sweep. wrt are the variables that the derivative is by. The
// body is copied, and can be used again.
func (d *Deriver) Forward(b *core.Builder, body *core.Body, wrt []core.Var, integers bool) (res []core.Operand, ret *Return) {
	where, attrs, certs := b.Where, b.Attrs, b.Certs
	defer func() { b.Where, b.Attrs, b.Certs = where, attrs, certs }()
	c := newReverser(d, integers)
	for _, x := range wrt {
		c.depends[x] = true
	}
	res, back := c.rerun(b, body, core.Subst{})
	return res, &Return{func(r *sweep) {
		r.reverser = c
		for i, x := range res {
			if r.seeds[i] != None {
				r.add(x, r.seeds[i], shared)
			}
		}
		back(r)
	}}
}

// Sweep adds the return sweep to b, where the code of Forward is in scope: dres are the adjoints of the results, or None. It returns the
// adjoint of each of wrt; one without has None, and is zero.
func (ret *Return) Sweep(b *core.Builder, dres []core.Operand, wrt []core.Var) []core.Operand {
	where, attrs, certs := b.Where, b.Attrs, b.Certs
	defer func() { b.Where, b.Attrs, b.Certs = where, attrs, certs }()
	r := &sweep{b: b, adj: map[core.Var]adjoint{}, acc: map[core.Var]core.Var{}, seeds: dres}
	ret.back(r)
	out := nones(len(wrt))
	for i, x := range wrt {
		if a, ok := r.adj[x]; ok {
			out[i] = a.x
		}
	}
	return out
}

// sweep is a return sweep at some place of the code.
type sweep struct {
	*reverser
	b *core.Builder
	// adj holds adjoints; what is not there has the adjoint zero, or has an accumulator for it in acc.
	adj   map[core.Var]adjoint
	acc   map[core.Var]core.Var
	seeds []core.Operand // the adjoints of the results of all
}

// adjoint is a scalar or array. owned says that nothing else refers to the array, so that it may be updated in place.
type adjoint struct {
	x     core.Operand
	owned bool
}

// nested is a sweep in code inside of that of r, with the adjoints known there.
func (r *sweep) nested() *sweep {
	out := *r
	out.b = r.b.Nested()
	out.b.Where = r.b.Where
	out.adj, out.acc = maps.Clone(r.adj), maps.Clone(r.acc)
	return &out
}

// fresh is a sweep in a builder for other code, where no adjoints are known.
func (r *sweep) fresh(b *core.Builder, acc map[core.Var]core.Var) *sweep {
	out := *r
	out.b, out.adj, out.acc = b, map[core.Var]adjoint{}, maps.Clone(acc)
	return &out
}

// wants reports whether x has an adjoint.
func (c *reverser) wants(b *core.Builder, x core.Operand) bool {
	return x.Var != 0 && c.depends[x.Var] && Active(b.TypeOf(x), c.integers)
}

// take returns the adjoint of what a statement bound, if it has one.
func (r *sweep) take(v core.Var) (core.Operand, bool) {
	a, ok := r.adj[v]
	return a.x, ok
}

// takeAll returns the adjoints of ps, zero operands where there are none, and reports whether there are any.
func (r *sweep) takeAll(ps []core.Param) (dys []core.Operand, known []bool, some bool) {
	dys, known = make([]core.Operand, len(ps)), make([]bool, len(ps))
	for i, p := range ps {
		dys[i], known[i] = r.take(p.Var)
		some = some || known[i]
	}
	return dys, known, some
}

// orZero returns the adjoint of v.
func (r *sweep) orZero(v core.Var) core.Operand {
	if a, ok := r.adj[v]; ok {
		return a.x
	}
	return zeroOf(r.b, r.b.Scope.TypeOf(v))
}

// own returns the adjoint of v, which the caller may consume if it is an array.
func (r *sweep) own(v core.Var) core.Operand {
	a, ok := r.adj[v]
	if ok && !a.owned && r.b.TypeOf(a.x).IsArray() {
		return r.b.Let("adj", &core.Copy{Array: a.x.Var})
	}
	return r.orZero(v)
}

// Whether nobody else refers to what is added to an adjoint.
const owned, shared = true, false

// add adds dx to the adjoint of x. owned says that nobody else refers to dx.
func (r *sweep) add(x, dx core.Operand, owned bool) {
	if !r.wants(r.b, x) {
		return
	}
	t := r.b.TypeOf(x)
	if r.accumulated(x.Var) {
		r.accumulate(x.Var, core.FullSlice(t), dx)
		return
	}
	dx = fit(r.b, dx, t)
	if old, ok := r.adj[x.Var]; ok {
		dx, owned = plus(r.b, old.x, dx), true
	}
	r.adj[x.Var] = adjoint{dx, owned}
}

// addAt adds dx to the adjoint of a part of an array.
func (r *sweep) addAt(a core.Var, at core.Slice, dx core.Operand) {
	if !r.wants(r.b, core.V(a)) {
		return
	}
	if r.accumulated(a) {
		r.accumulate(a, at, dx)
		return
	}
	whole := r.own(a)
	sum := dx
	if _, ok := r.adj[a]; ok {
		sum = plus(r.b, r.b.Let("adj", &core.Index{Array: whole.Var, Slice: at}), dx)
	}
	r.adj[a] = adjoint{r.b.Let("adj", &core.Update{Array: whole.Var, Slice: at, Value: sum}), true}
}

// whole returns the array whose adjoint is an accumulator to which adjoints of a are added: a itself, or one of which it is a part; 0 if
// there is none.
func (r *sweep) whole(a core.Var) core.Var {
	for r.acc[a] == 0 {
		part := r.parts[a]
		if part == nil {
			return 0
		}
		a = part.Array
	}
	return a
}

func (r *sweep) accumulated(a core.Var) bool { return r.whole(a) != 0 }

// free lists variables whose adjoints code adds to that uses vars: arrays stand for parts of them where their adjoints are accumulators.
func (r *sweep) free(vars *core.VarSet) []core.Var {
	out := &core.VarSet{}
	for _, v := range vars.List() {
		if a := r.whole(v); a != 0 {
			v = a
		}
		out.Add(v)
	}
	return out.List()
}

// accumulate adds dx, element by element, to a part of an array whose adjoint is an accumulator or belongs to one.
func (r *sweep) accumulate(a core.Var, at core.Slice, dx core.Operand) {
	for r.acc[a] == 0 {
		part := r.parts[a]
		a, at = part.Array, r.b.Compose(part.Slice, at)
	}
	r.acc[a] = spread(r.b, r.acc[a], nil, at, dx)
}

// spread adds code that updates acc at indices and the places that at selects of the dimensions after those.
func spread(b *core.Builder, acc core.Var, index []core.Operand, at core.Slice, dx core.Operand) core.Var {
	index = append([]core.Operand(nil), index...)
	for len(at) > 0 && at[0].Fix {
		index, at = append(index, at[0].Off), at[1:]
	}
	accType := []core.Type{b.Scope.TypeOf(acc)}
	if len(at) == 0 {
		return b.LetTypes("acc", accType, &core.UpdateAcc{Acc: acc, Index: index, Values: []core.Operand{dx}})[0].Var
	}
	d := at[0]
	is := counter(b, d.Len)
	params := []core.Type{core.I64, b.TypeOf(dx).Row(1)}
	l := b.Lambda("x", params, accType, func(b *core.Builder, ps []core.Operand) []core.Operand {
		i := b.Add64(d.Off, b.Mul64(ps[0], d.Stride))
		return []core.Operand{core.V(spread(b, acc, append(index, i), at[1:], ps[1]))}
	})
	return b.LetTypes("acc", accType, &core.Screma{Size: d.Len, Arrays: []core.Var{is, dx.Var}, Map: l})[0].Var
}

// counter is the array 0, 1, ..., n-1.
func counter(b *core.Builder, n core.Operand) core.Var {
	return b.LetVar("is", &core.Iota{Type: prim.I64, N: n, Start: core.Int(0), Step: core.Int(1)})
}

func zeroOf(b *core.Builder, t core.Type) core.Operand {
	z := core.C(prim.Zero(t.Elem))
	if !t.IsArray() {
		return z
	}
	return b.Let("zero", &core.Replicate{Shape: t.Shape, X: z})
}

// fit reshapes x to the type t, which differs at most in how sizes are written.
func fit(b *core.Builder, x core.Operand, t core.Type) core.Operand {
	if !t.IsArray() || b.TypeOf(x).Same(t) {
		return x
	}
	return b.Let("adj", &core.Reshape{Shape: t.Shape, Array: x.Var})
}

// plus adds scalars or arrays.
func plus(b *core.Builder, x, y core.Operand) core.Operand {
	t := b.TypeOf(x)
	if !t.IsArray() {
		return Add(b, x, y)
	}
	row := t.Row(1)
	l := b.Lambda("x", []core.Type{row, row}, []core.Type{row}, func(b *core.Builder, ps []core.Operand) []core.Operand {
		return []core.Operand{plus(b, ps[0], ps[1])}
	})
	return b.Let("adj", &core.Screma{Size: t.Shape[0], Arrays: []core.Var{x.Var, fit(b, y, t).Var}, Map: l})
}

// sum adds up the n rows of an array.
func sum(b *core.Builder, x core.Operand, n core.Operand) core.Operand {
	t := b.TypeOf(x)
	if t.Rank() == 1 {
		scalar := core.ScalarType(t.Elem)
		return b.Let("sum", &core.Screma{
			Size: n, Arrays: []core.Var{x.Var}, Map: b.Identity([]core.Type{scalar}),
			Reds: []core.Operator{{Lambda: addition(b, scalar), Neutral: []core.Operand{core.C(prim.Zero(t.Elem))}, Commutative: true}},
		})
	}
	// As a reduction with the map of an operator, which flattening knows: rows have one dimension.
	row := t.Row(1)
	flat := core.ArrayOf(core.ScalarType(t.Elem), b.Product(row.Shape...))
	rows := fit(b, x, core.ArrayOf(flat, n))
	total := b.Let("sum", &core.Screma{
		Size: n, Arrays: []core.Var{rows.Var}, Map: b.Identity([]core.Type{flat}),
		Reds: []core.Operator{{Lambda: addition(b, flat), Neutral: []core.Operand{zeroOf(b, flat)}, Commutative: true}},
	})
	return fit(b, total, row)
}

// addition is the operator that adds values of type t.
func addition(b *core.Builder, t core.Type) *core.Lambda {
	return b.Lambda("x", []core.Type{t, t}, []core.Type{t}, func(b *core.Builder, ps []core.Operand) []core.Operand {
		return []core.Operand{plus(b, ps[0], ps[1])}
	})
}

// reversed is x from its last row to its first.
func reversed(b *core.Builder, x core.Var) core.Var {
	t := b.Scope.TypeOf(x)
	n := t.Shape[0]
	at := core.FullSlice(t)
	at[0] = core.Range(b.Sub64(n, core.Int(1)), n, core.Int(-1))
	return b.LetVar("reversed", &core.Index{Array: x, Slice: at})
}

// replicated is n rows that are all x.
func replicated(b *core.Builder, n, x core.Operand) core.Operand {
	return b.Let("adj", &core.Replicate{Shape: []core.Operand{n}, X: x})
}
