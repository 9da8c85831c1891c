package derive

import (
	"skald/middle/core"
	"skald/runtime/prim"
)

// fold is a reduction or scan of arrays with one operator.
type fold struct {
	dst    []core.Param
	aux    core.Aux
	size   core.Operand
	arrays []core.Var
	op     core.Operator
}

// maxRecurrence is the number of values that the operator of a scan may combine for the return sweep to be a scan as well: its operator is
// on square matrices.
const maxRecurrence = 3

// reduce is stm for a reduction.
func (c *reverser) reduce(b *core.Builder, f *fold) back {
	if inner, ok := rowwise(f.op.Lambda); ok && !isSum(f.op.Lambda) {
		return c.columns(b, f, inner, asReduction)
	}
	s := &core.Stm{Dst: f.dst, Aux: f.aux, Exp: &core.Screma{
		Size: f.size, Arrays: f.arrays, Map: b.Identity(f.op.Lambda.Ret), Reds: []core.Operator{f.op},
	}}
	depends := c.dependent(s)
	if better, ok := extremum(f.op.Lambda); ok && depends && !f.dependsOutside(c, b) {
		return c.extreme(b, f, better)
	}
	c.emit(b, s)
	if !depends {
		return nil
	}
	if isSum(f.op.Lambda) {
		return func(r *sweep) {
			dys, known, _ := r.takeAll(f.dst)
			for i, a := range f.arrays {
				if known[i] && r.wants(r.b, core.V(a)) {
					r.add(core.V(a), replicated(r.b, f.size, dys[i]), shared)
				}
			}
			f.addNeutral(r, dys, known)
		}
	}
	if c.parallel(b, f) {
		return func(r *sweep) { f.aroundEach(c, r) }
	}
	prefixes := f.prefixes(c, b)
	return func(r *sweep) { f.sequential(r, prefixes, asReduction) }
}

// extremum reports whether an operator is the minimum or maximum of two scalars, the left one of equal ones, and how the left one compares
// with the right one if it is the result and they differ.
func extremum(l *core.Lambda) (better prim.CmpOp, ok bool) {
	op, ok := scalarOperator(l)
	if !ok || !l.Body.Stms[0].Exp.(*core.Bin).X.IsVar(l.Params[0].Var) {
		return 0, false
	}
	switch op {
	case prim.Min:
		return prim.Lt, true
	case prim.Max:
		return prim.Gt, true
	default:
		return 0, false
	}
}

// extreme is reduce for minima and maxima: the reduction finds the first element that is the result, too, which gets all of the adjoint. It
// gets none where it is the neutral element, which comes before it.
func (c *reverser) extreme(b *core.Builder, f *fold, better prim.CmpOp) back {
	scalar, a, neutral := f.op.Lambda.Ret[0], f.arrays[0], f.op.Neutral[0]
	first := b.Param("first", core.I64)
	pair := []core.Type{scalar, core.I64}
	l := b.Lambda("x", append(pair, pair...), pair, func(b *core.Builder, ps []core.Operand) []core.Operand {
		x, i, y, j := ps[0], ps[1], ps[2], ps[3]
		earlier := b.Bin(prim.LogAnd, b.Cmp(prim.Eq, x, y), b.Cmp(prim.Le, i, j))
		left := b.Bin(prim.LogOr, b.Cmp(better, x, y), earlier)
		return append(b.Apply(f.op.Lambda, renamed, x, y), calculus{b, prim.I64}.choose(left, i, j))
	})
	c.emit(b, &core.Stm{Dst: append(f.dst[:1:1], first), Aux: f.aux, Exp: &core.Screma{
		Size: f.size, Arrays: []core.Var{a, counter(b, f.size)}, Map: b.Identity(pair),
		Reds: []core.Operator{{Lambda: l, Neutral: []core.Operand{neutral, f.size}, Commutative: f.op.Commutative}},
	}})
	return func(r *sweep) {
		dy, ok := r.take(f.dst[0].Var)
		if !ok || !r.wants(r.b, core.V(a)) {
			return
		}
		nobody := r.b.Cmp(prim.Eq, core.V(f.dst[0].Var), neutral)
		winner := calculus{r.b, prim.I64}.choose(nobody, f.size, core.V(first.Var))
		only := r.b.Lambda("i", pair[1:], pair[:1], func(b *core.Builder, ps []core.Operand) []core.Operand {
			k := calculus{b, scalar.Elem}
			return []core.Operand{k.choose(b.Cmp(prim.Eq, ps[0], winner), dy, k.Const(0))}
		})
		r.add(core.V(a), r.b.Let("adj", &core.Screma{Size: f.size, Arrays: []core.Var{counter(r.b, f.size)}, Map: only}), owned)
	}
}

// addNeutral adds to the adjoints of neutral elements.
func (f *fold) addNeutral(r *sweep, dys []core.Operand, known []bool) {
	for i, x := range f.op.Neutral {
		if known[i] {
			r.add(x, dys[i], shared)
		}
	}
}

// scan is stm for a scan.
func (c *reverser) scan(b *core.Builder, f *fold) back {
	if inner, ok := rowwise(f.op.Lambda); ok {
		return c.columns(b, f, inner, asScan)
	}
	s := &core.Stm{Dst: f.dst, Aux: f.aux, Exp: &core.Screma{
		Size: f.size, Arrays: f.arrays, Map: b.Identity(f.op.Lambda.Ret), Scans: []core.Operator{f.op},
	}}
	depends := c.dependent(s)
	c.emit(b, s)
	if !depends {
		return nil
	}
	if isSum(f.op.Lambda) && !f.dependsOutside(c, b) {
		return func(r *sweep) {
			dys, known, some := r.takeAll(f.dst)
			if !some {
				return
			}
			f.fill(r, dys, known)
			for i, sum := range f.suffixes(r.b, f.op, core.VarsOf(dys)) {
				r.add(core.V(f.arrays[i]), core.V(sum), shared)
			}
		}
	}
	if c.parallel(b, f) && len(f.dst) <= maxRecurrence {
		return func(r *sweep) { f.recurrence(c, r) }
	}
	return func(r *sweep) { f.sequential(r, core.ParamVars(f.dst), asScan) }
}

// fill replaces adjoints that are not known by zeros.
func (f *fold) fill(r *sweep, dys []core.Operand, known []bool) {
	for i, p := range f.dst {
		if !known[i] {
			dys[i] = zeroOf(r.b, p.Type)
		}
	}
}

// dependsOutside reports whether the operator uses anything that depends, or a neutral element does.
func (f *fold) dependsOutside(c *reverser, b *core.Builder) bool {
	for _, x := range f.op.Neutral {
		if c.wants(b, x) {
			return true
		}
	}
	return c.uses(b, f.op.Lambda)
}

// uses reports whether a lambda uses a variable that depends.
func (c *reverser) uses(b *core.Builder, l *core.Lambda) bool {
	for _, v := range core.FreeInLambda(l).List() {
		if c.wants(b, core.V(v)) {
			return true
		}
	}
	return false
}

// parallel reports whether the return sweep can do without going through the elements one by one: the operator is on scalars and
// uses nothing that depends.
func (c *reverser) parallel(b *core.Builder, f *fold) bool {
	for _, t := range f.op.Lambda.Ret {
		if !t.IsScalar() {
			return false
		}
	}
	return !f.dependsOutside(c, b)
}

// isSum reports whether an operator adds component by component, arrays element by element.
func isSum(l *core.Lambda) bool {
	k := len(l.Ret)
	if len(l.Params) != 2*k {
		return false
	}
	defs := map[core.Var]core.Exp{}
	for _, s := range l.Body.Stms {
		for _, p := range s.Dst {
			defs[p.Var] = s.Exp
		}
	}
	source := func(o core.Operand) core.Var {
		for {
			r, ok := defs[o.Var].(*core.Reshape)
			if !ok {
				return o.Var
			}
			o = core.V(r.Array)
		}
	}
	for i, r := range l.Body.Res {
		x, y := l.Params[i].Var, l.Params[k+i].Var
		var left, right core.Var
		switch e := core.Match(defs[source(r)]).(type) {
		case *core.Bin:
			if e.Op != prim.Add {
				return false
			}
			left, right = source(e.X), source(e.Y)
		case *core.Screma:
			if len(e.Arrays) != 2 || len(e.Scans)+len(e.Reds) > 0 || e.Post != nil || !isSum(e.Map) {
				return false
			}
			left, right = source(core.V(e.Arrays[0])), source(core.V(e.Arrays[1]))
		default:
			return false
		}
		if (left != x || right != y) && (left != y || right != x) {
			return false
		}
	}
	return true
}

// prefixes scans the arrays.
func (f *fold) prefixes(c *reverser, b *core.Builder) []core.Var {
	l := core.RenameLambda(b.Fun, f.op.Lambda)
	b.Scope.BindLambda(l)
	op := core.Operator{Lambda: l, Neutral: f.op.Neutral}
	return core.VarsOf(b.LetN("prefix", &core.Screma{Size: f.size, Arrays: f.arrays, Map: b.Identity(l.Ret), Scans: []core.Operator{op}}))
}

// suffixes scans arrays from the end: element i of the result combines elements i to the last, in their order.
func (f *fold) suffixes(b *core.Builder, op core.Operator, arrays []core.Var) []core.Var {
	l := core.RenameLambda(b.Fun, op.Lambda)
	k := len(op.Neutral)
	flipped := &core.Lambda{Params: append(append([]core.Param(nil), l.Params[k:]...), l.Params[:k]...), Body: l.Body, Ret: l.Ret}
	b.Scope.BindLambda(flipped)
	var back []core.Var
	for _, a := range arrays {
		back = append(back, reversed(b, a))
	}
	ops := []core.Operator{{Lambda: flipped, Neutral: op.Neutral}}
	out := b.LetN("suffix", &core.Screma{Size: f.size, Arrays: back, Map: b.Identity(l.Ret), Scans: ops})
	for i, x := range out {
		out[i] = core.V(reversed(b, x.Var))
	}
	return core.VarsOf(out)
}

// beside reads element i of arrays if that is inside, and else is the neutral element.
func (f *fold) beside(b *core.Builder, inside core.Operand, arrays []core.Var, i core.Operand) []core.Operand {
	ret := f.op.Lambda.Ret
	return b.If("beside", inside, ret, func(b *core.Builder) []core.Operand {
		var out []core.Operand
		for _, a := range arrays {
			out = append(out, b.Index("beside", a, i))
		}
		return out
	}, func(*core.Builder) []core.Operand { return f.op.Neutral })
}

// before returns what is to the left of element i.
func (f *fold) before(b *core.Builder, prefixes []core.Var, i core.Operand) []core.Operand {
	return f.beside(b, b.Cmp(prim.Gt, i, core.Int(0)), prefixes, b.Sub64(i, core.Int(1)))
}

// aroundEach is the return sweep of a reduction: the result is l op x op r for each element x, where l and r combine what is to
// its left and to its right.
func (f *fold) aroundEach(c *reverser, r *sweep) {
	dys, known, some := r.takeAll(f.dst)
	if !some {
		return
	}
	left, right := f.prefixes(c, r.b), f.suffixes(r.b, f.op, f.arrays)
	ret := f.op.Lambda.Ret
	params := append([]core.Type{core.I64}, ret...)
	arrays := append([]core.Var{counter(r.b, f.size)}, f.arrays...)
	l := r.b.Lambda("x", params, ret, func(b *core.Builder, ps []core.Operand) []core.Operand {
		i, xs := ps[0], ps[1:]
		before := f.before(b, left, i)
		next := b.Add64(i, core.Int(1))
		after := f.beside(b, b.Cmp(prim.Lt, next, f.size), right, next)
		for _, x := range xs {
			c.depends[x.Var] = true
		}
		in := r.fresh(b, nil)
		upTo, backX := c.apply(b, f.op.Lambda, append(before, xs...))
		all, backAll := c.apply(b, f.op.Lambda, append(append([]core.Operand(nil), upTo...), after...))
		for j, y := range all {
			if known[j] {
				in.add(y, dys[j], shared)
			}
		}
		backAll(in)
		backX(in)
		return in.orZeros(xs)
	})
	for j, dx := range r.b.LetN("adj", &core.Screma{Size: f.size, Arrays: arrays, Map: l}) {
		r.add(core.V(f.arrays[j]), dx, owned)
	}
}

// orZeros returns the adjoints of variables.
func (r *sweep) orZeros(xs []core.Operand) []core.Operand {
	out := make([]core.Operand, len(xs))
	for i, x := range xs {
		out[i] = r.orZero(x.Var)
	}
	return out
}

// recurrence is the return sweep of a scan. With z[i] the adjoint of prefix i, its own one included, z[i] = dy[i] + A z[i+1], where A
// is the transposed matrix of the partial derivatives of prefix i+1 by prefix i. Such steps compose associatively, so that z is the result
// of a scan from the end.
func (f *fold) recurrence(c *reverser, r *sweep) {
	dys, known, some := r.takeAll(f.dst)
	if !some {
		return
	}
	f.fill(r, dys, known)
	k := len(f.dst)
	scalars := f.op.Lambda.Ret
	ys := core.ParamVars(f.dst)
	is := counter(r.b, f.size)

	as := f.steps(c, r, is)
	z := f.suffixes(r.b, composition(r.b, scalars), append(as, core.VarsOf(dys)...))[k*k:]

	params := append([]core.Type{core.I64}, append(append([]core.Type(nil), scalars...), scalars...)...)
	arrays := append([]core.Var{is}, append(append([]core.Var(nil), f.arrays...), z...)...)
	l := r.b.Lambda("x", params, scalars, func(b *core.Builder, ps []core.Operand) []core.Operand {
		xs, zs := ps[1:1+k], ps[1+k:]
		for _, x := range xs {
			c.depends[x.Var] = true
		}
		in := r.fresh(b, nil)
		res, back := c.apply(b, f.op.Lambda, append(f.before(b, ys, ps[0]), xs...))
		for j, y := range res {
			in.add(y, zs[j], shared)
		}
		back(in)
		return in.orZeros(xs)
	})
	for j, dx := range r.b.LetN("adj", &core.Screma{Size: f.size, Arrays: arrays, Map: l}) {
		r.add(core.V(f.arrays[j]), dx, owned)
	}
}

// steps returns, for each element, A by its prefix and the next, row by row. The last one has none: zeros.
func (f *fold) steps(c *reverser, r *sweep, is core.Var) []core.Var {
	k := len(f.dst)
	scalars := f.op.Lambda.Ret
	var matrix []core.Type
	var zeros []core.Operand
	for _, t := range scalars {
		for range k {
			matrix, zeros = append(matrix, t), append(zeros, core.C(prim.Zero(t.Elem)))
		}
	}
	l := r.b.Lambda("i", []core.Type{core.I64}, matrix, func(b *core.Builder, ps []core.Operand) []core.Operand {
		next := b.Add64(ps[0], core.Int(1))
		return b.If("a", b.Cmp(prim.Lt, next, f.size), matrix, func(b *core.Builder) []core.Operand {
			prev := r.fresh(b, nil).inputs(rowsAt(b, core.ParamVars(f.dst), ps[0]))
			xs := rowsAt(b, f.arrays, next)
			res, back := c.apply(b, f.op.Lambda, append(append([]core.Operand(nil), prev...), xs...))
			rows := make([][]core.Operand, k)
			for j, y := range res {
				in := r.fresh(b, nil)
				in.add(y, core.C(Number(scalars[j].Elem, 1)), shared)
				back(in)
				rows[j] = in.orZeros(prev)
			}
			var out []core.Operand
			for i, t := range scalars {
				for _, row := range rows {
					out = append(out, b.Conv(row[i], t.Elem))
				}
			}
			return out
		}, func(*core.Builder) []core.Operand { return zeros })
	})
	return core.VarsOf(r.b.LetN("a", &core.Screma{Size: f.size, Arrays: []core.Var{is}, Map: l}))
}

// composition is the operator that composes functions z -> b + A z, each given by the elements of A, row by row, and b: the left one
// is applied last.
func composition(b *core.Builder, scalars []core.Type) core.Operator {
	k := len(scalars)
	types := make([]core.Type, 0, k*k+k)
	neutral := make([]core.Operand, 0, k*k+k)
	for i := range k {
		for j := range k {
			types = append(types, scalars[i])
			one := 0.0
			if i == j {
				one = 1
			}
			neutral = append(neutral, core.C(Number(scalars[i].Elem, one)))
		}
	}
	for _, t := range scalars {
		types, neutral = append(types, t), append(neutral, core.C(prim.Zero(t.Elem)))
	}
	l := b.Lambda("f", append(append([]core.Type(nil), types...), types...), types, func(b *core.Builder, ps []core.Operand) []core.Operand {
		f, g := ps[:len(types)], ps[len(types):]
		// times is row i of f's matrix times a column of g, which starts at g[from], its elements stride apart.
		times := func(i, from, stride int) core.Operand {
			var total core.Operand
			for j := range k {
				p := Mul(b, f[i*k+j], b.Conv(g[from+j*stride], scalars[i].Elem))
				if j == 0 {
					total = p
				} else {
					total = Add(b, total, p)
				}
			}
			return total
		}
		var out []core.Operand
		for i := range k {
			for j := range k {
				out = append(out, times(i, j, k))
			}
		}
		for i := range k {
			out = append(out, Add(b, f[k*k+i], times(i, k*k, 1)))
		}
		return out
	})
	return core.Operator{Lambda: l, Neutral: neutral}
}
