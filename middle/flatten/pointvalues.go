package flatten

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Branches and loops of points]
//
// A branch whose condition differs from point to point, and a loop that goes round as often as its point says, are as parallel as what is
// in them (Blelloch, 1990, has both). The points that take a side of a branch are rows of one element, those that do not are empty rows: so
// the machinery of Note [Irregular nests] makes a nest of them, in which the side is flattened like any other body. What the sides come
// to is gathered by kernels over all points, whose threads know from the offsets which side theirs took.
//
// A loop becomes one of the host, around a branch: its points that go on take its body, the others keep what they have. The host waits once
// a round, for the number of points that go on (and once more where rows change their lengths). A loop that goes round equally often at
// all points, but whose values are rows of different lengths, needs no branch.
//
// Values at points are arrays of the host: over the nest for scalars and arrays of regular sizes; an array of all rows, with offsets, for
// rows, whose size is a variable of the nest around, or one of the values itself, as filters in loops have it.
//
// Branches that hold neither loops nor rows of different lengths, and loops that neither pass on such rows nor decide lengths, stay with
// the threads of their points, or with workgroups (Note [Versions inside a workgroup]), which take these well: one more version of each
// would make code longer.
//
// This is for the version that goes over all points at once. Where a construct cannot be flattened so, because it passes on what is no
// such value, it stays with the threads of its points.

// liftable reports whether values at points of n can be arrays of the host: scalars, and arrays whose sizes are regular but for the
// outermost one.
func (n *nest) liftable(ps []core.Param) bool {
	m := n.binding(&core.Stm{Dst: ps})
	for _, p := range ps {
		switch {
		case p.Type.Kind == core.KindScalar:
		case !p.Type.IsArray() || slices.ContainsFunc(p.Type.Shape[1:], m.variant):
			return false
		}
	}
	return true
}

// isRow reports whether a value at points of n, one of several, is a row of different lengths.
func (n *nest) isRow(ps []core.Param, p core.Param) bool {
	if !p.Type.IsArray() {
		return false
	}
	size := p.Type.Shape[0]
	return n.variant(size) || isOwn(ps, size)
}

// isOwn reports whether a size is one of several values itself.
func isOwn(ps []core.Param, size core.Operand) bool {
	return slices.ContainsFunc(ps, func(p core.Param) bool { return size.IsVar(p.Var) })
}

// fixedSizes are the sizes of rows among values at points of n that are not values themselves.
func (n *nest) fixedSizes(ps []core.Param) []core.Operand {
	var sizes []core.Operand
	for _, p := range ps {
		if n.isRow(ps, p) && !isOwn(ps, p.Type.Shape[0]) && !slices.Contains(sizes, p.Type.Shape[0]) {
			sizes = append(sizes, p.Type.Shape[0])
		}
	}
	return sizes
}

// values are those of variables at all points of a nest, in arrays of the host.
type values struct {
	params []core.Param // at a point
	arrays []core.Param // one for each: over the nest, or of all rows
	sizes  []core.Param // those of params that are lengths of rows among them
	own    []offsets    // where the rows of each size start
}

// host are the variables of the host that hold values: first the offsets.
func (v *values) host() []core.Operand {
	var out []core.Operand
	for _, o := range v.own {
		out = append(out, o.total, core.V(o.starts))
	}
	return append(out, core.Vars(core.ParamVars(v.arrays))...)
}

// fresh are values of params in other variables of the host, and these.
func (f *flattener) fresh(v *values, params []core.Param) (w *values, host []core.Param) {
	w = &values{params: params, arrays: slices.Clone(v.arrays)}
	sub := core.Subst{}
	for i, o := range v.own {
		w.sizes = append(w.sizes, params[slices.Index(core.ParamVars(v.params), v.sizes[i].Var)])
		total := f.Param("total", core.I64)
		starts := f.Param("starts", f.TypeOf(core.V(o.starts)))
		if o.total.Var != 0 {
			sub[o.total.Var] = core.V(total.Var)
		}
		w.own = append(w.own, offsets{starts.Var, o.rows, core.V(total.Var)})
		host = append(host, total, starts)
	}
	for i, a := range v.arrays {
		t := a.Type
		t.Shape = slices.Clone(t.Shape)
		row := v.params[i].Type
		if k := slices.IndexFunc(v.sizes, func(p core.Param) bool { return row.IsArray() && row.Shape[0].IsVar(p.Var) }); k >= 0 {
			t.Shape[0] = w.own[k].total
		}
		w.arrays[i] = f.Param(f.Fun.Base(a.Var), t)
		host = append(host, w.arrays[i])
	}
	return w, host
}

// knownAt makes values known at the points of n.
func (f *flattener) knownAt(n *nest, v *values) *nest {
	m := n.with()
	m.rows = make([]*rows, len(n.rows)) // more arrays are of their lengths here than elsewhere
	for i, r := range n.rows {
		c := *r
		c.arrays = slices.Clone(r.arrays)
		m.rows[i] = &c
	}
	for i, p := range v.params {
		if !n.isRow(v.params, p) {
			m = m.with(f.reading(m, []core.Param{p}, v.arrays[i:i+1])...)
		}
	}
	for i, p := range v.sizes {
		m = f.located(m, &rows{offsets: v.own[i], size: core.V(p.Var), longest: v.own[i].total})
	}
	for i, p := range v.params {
		if n.isRow(v.params, p) {
			m = f.rowsAt(m, m.rowsOf(p.Type.Shape[0]), []core.Param{p}, v.arrays[i:i+1])
		}
	}
	return m
}

// choice says which points of a nest take which of two sides. If there is one side, all take it.
type choice struct {
	nest   *nest
	points core.Operand // how many there are
	count  core.Operand // one more
	yes    offsets      // of rows of one element at points that take the first side
	sides  []side
}

// side is what some points of a nest come to, in a nest of their own, whose prologue begins with that of the other one.
type side struct {
	nest   *nest
	from   int      // where what the other nest does not have begins
	starts core.Var // numbers of its points; 0 if they are those of the other nest
	res    []core.Operand
}

// sideOf is the nest of the points of n that rows of one element choose.
func (f *flattener) sideOf(n *nest, o offsets) side {
	m, _, _ := f.expanded(n, o)
	return side{nest: m, from: len(m.prologue), starts: o.starts}
}

// chosen are the offsets of rows of one element at the points of n at which a condition holds.
func (f *flattener) chosen(n *nest, points, count, cond core.Operand) offsets {
	in := f.Nested()
	x := in.Conv(cond, prim.I64)
	flags := f.Param("flags", core.ArrayOf(core.I64, n.sizes...))
	f.segMap(n.binding(in.Stms()...), in.Stms(), []core.Operand{x}, []core.Param{flags})
	starts := f.startsOf(n, flags.Var, count, f.binary(prim.Add))[0]
	total := f.Index("total", starts.Var, points)
	f.atMost[total.Var] = points
	return offsets{starts.Var, points, total}
}

// others are the offsets of rows of one element at the points that others do not choose.
func (f *flattener) others(o offsets, count core.Operand) offsets {
	i := f.Param("i", core.I64)
	n := (&nest{}).extend(i.Var, count)
	in := f.Nested()
	start := in.Sub64(core.V(i.Var), in.Index("start", o.starts, core.V(i.Var)))
	starts := f.Param("starts", core.ArrayOf(core.I64, count))
	f.segMap(n.binding(in.Stms()...), in.Stms(), []core.Operand{start}, []core.Param{starts})
	return offsets{starts.Var, o.rows, f.Sub64(o.rows, o.total)}
}

// gathered makes arrays of the host of what the points of a nest come to: values of params.
func (f *flattener) gathered(c *choice, ps []core.Param) *values {
	n := c.nest
	v := &values{params: ps, arrays: make([]core.Param, len(ps))}
	var scalars []int
	for i, p := range ps {
		switch {
		case p.Type.IsScalar():
			scalars = append(scalars, i)
		case !n.isRow(ps, p):
			v.arrays[i] = f.gatheredArray(c, c.base(), i, p.Type, core.ArrayOf(p.Type, n.sizes...), nil)
		}
	}
	f.gatheredScalars(c, ps, scalars, v)
	for i, p := range ps {
		if !n.isRow(ps, p) {
			continue
		}
		size, o := p.Type.Shape[0], offsets{}
		if isOwn(ps, size) {
			o = f.ownRows(c, v, size)
		} else {
			o = n.rowsOf(size).offsets
		}
		m, _, j := f.expanded(c.base(), o)
		v.arrays[i] = f.gatheredArray(c, m, i, p.Type.Row(1), core.ArrayOf(p.Type.Row(1), o.total), &j)
	}
	return v
}

// base is the nest that the kernels of a choice are over.
func (c *choice) base() *nest {
	if len(c.sides) == 1 {
		return c.sides[0].nest
	}
	return c.nest
}

// ownRows are the offsets of rows whose size is one of the values that are being gathered.
func (f *flattener) ownRows(c *choice, v *values, size core.Operand) offsets {
	k := slices.IndexFunc(v.params, func(p core.Param) bool { return size.IsVar(p.Var) })
	if i := slices.Index(core.ParamVars(v.sizes), v.params[k].Var); i >= 0 {
		return v.own[i]
	}
	starts := f.startsOf(c.nest, v.arrays[k].Var, c.count, f.binary(prim.Add))[0]
	o := offsets{starts.Var, c.points, f.Index("total", starts.Var, c.points)}
	v.sizes, v.own = append(v.sizes, v.params[k]), append(v.own, o)
	return o
}

// gatheredScalars makes one kernel for all scalars.
func (f *flattener) gatheredScalars(c *choice, ps []core.Param, which []int, v *values) {
	if len(which) == 0 {
		return
	}
	var ts []core.Type
	var outs []core.Param
	for _, i := range which {
		v.arrays[i] = f.Param(f.Fun.Base(ps[i].Var), core.ArrayOf(ps[i].Type, c.nest.sizes...))
		ts, outs = append(ts, ps[i].Type), append(outs, v.arrays[i])
	}
	stms, xs := f.atPoint(c, ts, func(_ *core.Builder, res []core.Operand) []core.Operand {
		var xs []core.Operand
		for _, i := range which {
			xs = append(xs, res[i])
		}
		return xs
	})
	f.segMap(c.base().binding(stms...), stms, xs, outs)
}

// gatheredArray makes a kernel for all elements of a result, of a type at the points of m; j is the index of its outermost dimension if
// that has been fixed.
func (f *flattener) gatheredArray(c *choice, m *nest, which int, t, all core.Type, j *core.Operand) core.Param {
	var is []core.Operand
	if j != nil {
		is = append(is, *j)
	}
	for _, size := range t.Shape {
		id := f.Param("i", core.I64)
		m = m.extend(id.Var, size)
		is = append(is, core.V(id.Var))
	}
	elem := core.ScalarType(t.Elem)
	stms, xs := f.atPoint(c, []core.Type{elem}, func(b *core.Builder, res []core.Operand) []core.Operand {
		x := b.Param("x", b.TypeOf(res[which]).Row(1))
		f.element(b, x, res[which].Var, is[0])
		if len(is) == 1 {
			return []core.Operand{core.V(x.Var)}
		}
		return []core.Operand{b.Index("x", x.Var, is[1:]...)}
	})
	out := f.Param("all", all)
	f.segMap(m.binding(stms...), stms, xs, []core.Param{out})
	return out
}

// atPoint is code that gets values from what a point of the nest of a choice comes to, on the side that it takes.
func (f *flattener) atPoint(
	c *choice, ts []core.Type, get func(b *core.Builder, res []core.Operand) []core.Operand,
) ([]*core.Stm, []core.Operand) {
	in := f.Nested()
	if len(c.sides) == 1 {
		xs := get(in, c.sides[0].res)
		return in.Stms(), xs
	}
	number := f.numberOf(in, c.nest)
	mine := in.Index("start", c.yes.starts, number)
	taken := in.Cmp(prim.Lt, mine, in.Index("end", c.yes.starts, in.Add64(number, core.Int(1))))
	on := func(s side) func(b *core.Builder) []core.Operand {
		return func(b *core.Builder) []core.Operand {
			if s.starts != 0 {
				at := core.FullSlice(f.Scope.TypeOf(s.starts), number)
				b.Bind([]core.Param{{Var: s.nest.ids[0], Type: core.I64}}, &core.Index{Array: s.starts, Slice: at})
			}
			g := b.Nested()
			xs := get(g, s.res)
			needs := core.FreeInBody(&core.Body{Stms: g.Stms(), Res: xs})
			pre := (&nest{prologue: s.nest.prologue[s.from:]}).needed(needs)
			b.Add(filterCerts(&core.Body{Stms: pre}, func(core.Var) bool { return false }).Stms...)
			b.Add(g.Stms()...)
			return xs
		}
	}
	xs := in.If("x", taken, ts, on(c.sides[0]), on(c.sides[1]))
	return in.Stms(), xs
}

// numberOf is the number of a point of n.
func (f *flattener) numberOf(b *core.Builder, n *nest) core.Operand {
	number := b.Let("row", &core.Use{X: core.Int(0)})
	for d, id := range n.ids {
		number = b.Add64(b.Mul64(number, n.sizes[d]), core.V(id))
	}
	return number
}

// located makes known, at the points of n, where their rows start.
func (f *flattener) located(n *nest, r *rows) *nest {
	in := f.Nested()
	r.row = f.numberOf(in, n)
	r.start = in.Index("start", r.starts, r.row)
	m := n.with(in.Stms()...)
	m.rows = append(slices.Clip(m.rows), r)
	return m
}
