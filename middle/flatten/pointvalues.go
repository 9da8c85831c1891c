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
// Most sides are run over all points instead, so that nobody counts those that take them (Note [Sides over all points]).
//
// The scan that counts the points of a side also sums up how long their rows are, for each kind of rows that the side goes over: they start
// there where they do if only these points count, and nobody measures them again.
//
// A loop becomes one of the host, around a branch: its points that go on take its body, the others keep what they have. The host waits once
// a round, for the number of points that go on, for how long their rows are, and for how long all rows are whose lengths the round has
// changed. A loop that goes round equally often at all points, but whose values are rows of different lengths, needs no branch; a branch
// with one condition for all points, but such rows as results, is one of the host.
//
// Values at points are arrays of the host: over the nest for scalars and arrays of regular sizes; an array of all rows, with offsets, for
// rows, whose size is a variable of the nest around, or one of the values itself, as filters in loops have it.
//
// A loop that passes on arrays of other sizes than it was given counts as parallel, whatever it does: a thread has no memory for them where
// only the loop finds the sizes out.
//
// Where all rows are short enough for a workgroup, it takes such branches and loops as they are (Note [Versions inside a workgroup]), and
// where there are many points, their threads do. This is for few points with long rows.
//
// Where a construct cannot be flattened so, because it passes on what is no such value, it stays with the threads of its points.

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

// isOwnSize reports whether a value, one of several, is the size of others.
func isOwnSize(ps []core.Param, p core.Param) bool {
	return slices.ContainsFunc(ps, func(q core.Param) bool { return q.Type.IsArray() && q.Type.Shape[0].IsVar(p.Var) })
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
		out = append(out, o.host()...)
	}
	return append(out, core.Vars(core.ParamVars(v.arrays))...)
}

// fresh are values of params in other variables of the host, and these.
func (f *flattener) fresh(v *values, params []core.Param) (w *values, host []core.Param) {
	w = &values{params: params, arrays: slices.Clone(v.arrays)}
	for i, o := range v.own {
		w.sizes = append(w.sizes, params[slices.Index(core.ParamVars(v.params), v.sizes[i].Var)])
		own, ps := f.freshOffsets(o, "total")
		w.own, host = append(w.own, own), append(host, ps...)
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

// host are the variables of the host that hold offsets.
func (o offsets) host() []core.Operand { return []core.Operand{o.total, core.V(o.starts)} }

// freshOffsets are offsets in other variables of the host, the first of that name, and these.
func (f *flattener) freshOffsets(o offsets, total string) (fresh offsets, host []core.Param) {
	host = []core.Param{f.Param(total, core.I64), f.Param("starts", f.TypeOf(core.V(o.starts)))}
	return offsets{host[1].Var, o.rows, core.V(host[0].Var)}, host
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
		m = f.located(m, &rows{offsets: v.own[i], size: core.V(p.Var), longest: v.own[i].total, counted: true})
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
	yes    taking       // the points that take the first side
	taken  core.Var     // where sides are over all points, an array over the nest that says which take the first; else 0
	sides  []side
}

// side is what some points of a nest come to, in a nest of their own, whose prologue begins with that of the other one.
type side struct {
	nest   *nest
	from   int      // where what the other nest does not have begins
	starts core.Var // numbers of its points; 0 if they are those of the other nest
	res    []core.Operand
}

// taking are the points of a nest that take a side, as rows of one element, and where the rows of other sizes start if only theirs count.
type taking struct {
	offsets
	sizes []core.Operand
	rows  []offsets // one for each of sizes
}

// sizesIn are the sizes of rows that are known at the points of n, and of rows among values there, which code goes over or makes rows of.
func (n *nest) sizesIn(ps []core.Param, bodies ...*core.Body) []core.Operand {
	used := &core.VarSet{}
	for _, b := range bodies {
		core.Walk(b, func(s *core.Stm) bool {
			if size, ok := core.SizeOf(s.Exp); ok {
				used.Add(size.Var)
			}
			if _, view := s.Exp.(core.View); view {
				return true
			}
			for _, p := range s.Dst {
				if p.Type.IsArray() {
					used.Add(p.Type.Shape[0].Var)
				}
			}
			return true
		})
	}
	var sizes []core.Operand
	for _, r := range n.rows {
		if used.Has(r.size.Var) {
			sizes = append(sizes, r.size)
		}
	}
	for _, p := range ps {
		if isOwnSize(ps, p) && used.Has(p.Var) {
			sizes = append(sizes, core.V(p.Var))
		}
	}
	return sizes
}

// sideOf is the nest of the points of n that take a side. Where their rows start follows from where they do if only theirs count.
func (f *flattener) sideOf(n *nest, t taking) side {
	m, _, _ := f.expanded(n, t.offsets)
	s := side{nest: m, from: len(m.prologue), starts: t.starts}
	if len(t.sizes) == 0 {
		return s
	}
	q := f.Param("q", core.I64)
	over := (&nest{}).extend(q.Var, f.Add64(t.total, core.Int(1)))
	in := f.Nested()
	ts := slices.Repeat([]core.Type{core.I64}, len(t.sizes))
	starts := in.If("start", in.Cmp(prim.Lt, core.V(q.Var), t.total), ts, func(b *core.Builder) []core.Operand {
		point := f.search(b, t.offsets, core.V(q.Var))
		var xs []core.Operand
		for _, o := range t.rows {
			xs = append(xs, b.Index("start", o.starts, point))
		}
		return xs
	}, func(*core.Builder) []core.Operand {
		var xs []core.Operand
		for _, o := range t.rows {
			xs = append(xs, o.total)
		}
		return xs
	})
	outs := make([]core.Param, len(starts))
	for i := range outs {
		outs[i] = f.Param("starts", core.ArrayOf(core.I64, over.sizes...))
	}
	f.segMap(over.binding(in.Stms()...), in.Stms(), starts, outs)
	for i, size := range t.sizes {
		total := t.rows[i].total
		s.nest = f.located(s.nest, &rows{offsets: offsets{outs[i].Var, t.total, total}, size: size, longest: total, counted: true})
	}
	return s
}

// chosen are the points of n at which a condition holds, with where their rows of some sizes start. The host waits once for how many they
// are.
func (f *flattener) chosen(n *nest, points, count, cond core.Operand, sizes []core.Operand) taking {
	flags := f.Param("flags", core.ArrayOf(core.ScalarType(prim.Bool), n.sizes...))
	f.segMap(n, nil, []core.Operand{cond}, []core.Param{flags})
	what := []counted{{array: flags.Var}}
	for _, size := range sizes {
		what = append(what, counted{array: n.rowsOf(size).starts, starts: true, where: flags.Var})
	}
	return f.takingOf(f.startsOf(n, count, what), points, sizes)
}

// takingOf are the points that arrays say the start of, with where their rows of some sizes start.
func (f *flattener) takingOf(starts []core.Param, points core.Operand, sizes []core.Operand) taking {
	t := taking{sizes: sizes}
	for i, s := range starts {
		o := offsets{s.Var, points, f.Index("total", s.Var, points)}
		if i > 0 {
			t.rows = append(t.rows, o)
			continue
		}
		t.offsets = o
		f.atMost[o.total.Var] = points
	}
	return t
}

// others are the points of n that others do not choose.
func (f *flattener) others(n *nest, t taking, count core.Operand) taking {
	i := f.Param("i", core.I64)
	over := (&nest{}).extend(i.Var, count)
	in := f.Nested()
	res := []core.Operand{in.Sub64(core.V(i.Var), in.Index("start", t.starts, core.V(i.Var)))}
	out := taking{offsets: offsets{rows: t.offsets.rows, total: f.Sub64(t.offsets.rows, t.total)}, sizes: t.sizes}
	for k, size := range t.sizes {
		r := n.rowsOf(size)
		res = append(res, in.Sub64(in.Index("start", r.starts, core.V(i.Var)), in.Index("start", t.rows[k].starts, core.V(i.Var))))
		out.rows = append(out.rows, offsets{rows: r.rows, total: f.Sub64(r.total, t.rows[k].total)})
	}
	starts := make([]core.Param, len(res))
	for k := range starts {
		starts[k] = f.Param("starts", core.ArrayOf(core.I64, count))
	}
	f.segMap(over.binding(in.Stms()...), in.Stms(), res, starts)
	out.starts = starts[0].Var
	for k := range out.rows {
		out.rows[k].starts = starts[1+k].Var
	}
	return out
}

// gathered makes arrays of the host of what the points of a nest come to: values of params. Where one of them says which points go on,
// more is its number, and -1 elsewhere; yes are these points, with where their rows of some sizes start.
func (f *flattener) gathered(c *choice, ps []core.Param, more int, sizes []core.Operand) (v *values, yes taking) {
	n := c.nest
	v = &values{params: ps, arrays: make([]core.Param, len(ps))}
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
	yes = f.startsOfValues(c, v, more, sizes)
	for i, p := range ps {
		if !n.isRow(ps, p) {
			continue
		}
		var o offsets
		if k := slices.IndexFunc(v.sizes, func(s core.Param) bool { return p.Type.Shape[0].IsVar(s.Var) }); k >= 0 {
			o = v.own[k]
		} else {
			o = n.rowsOf(p.Type.Shape[0]).offsets
		}
		m, _, j := f.expanded(c.base(), o)
		v.arrays[i] = f.gatheredArray(c, m, i, p.Type.Row(1), core.ArrayOf(p.Type.Row(1), o.total), &j)
	}
	return v, yes
}

// base is the nest that the kernels of a choice are over.
func (c *choice) base() *nest {
	if len(c.sides) == 1 {
		return c.sides[0].nest
	}
	return c.nest
}

// startsOfValues makes the offsets of rows whose sizes are among values that are being gathered, and what gathered returns of the points at
// which value more, a condition, holds. One kernel scans all of them, and the host waits once for what they come to.
func (f *flattener) startsOfValues(c *choice, v *values, more int, sizes []core.Operand) (yes taking) {
	var what []counted
	for k, p := range v.params {
		if isOwnSize(v.params, p) {
			v.sizes, what = append(v.sizes, p), append(what, counted{array: v.arrays[k].Var})
		}
	}
	own := len(what)
	if more >= 0 {
		goes := v.arrays[more].Var
		what = append(what, counted{array: goes})
		for _, size := range sizes {
			if k := slices.IndexFunc(v.params, func(p core.Param) bool { return size.IsVar(p.Var) }); k >= 0 {
				what = append(what, counted{array: v.arrays[k].Var, where: goes})
			} else {
				what = append(what, counted{array: c.nest.rowsOf(size).starts, starts: true, where: goes})
			}
		}
	}
	if len(what) == 0 {
		return taking{}
	}
	starts := f.startsOf(c.nest, c.count, what)
	for _, s := range starts[:own] {
		v.own = append(v.own, offsets{s.Var, c.points, f.Index("total", s.Var, c.points)})
	}
	if more < 0 {
		return taking{}
	}
	return f.takingOf(starts[own:], c.points, sizes)
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
	taken := f.takesFirst(in, c, number)
	on := func(s side) func(b *core.Builder) []core.Operand {
		return func(b *core.Builder) []core.Operand {
			if s.starts != 0 {
				at := core.FullSlice(f.Scope.TypeOf(s.starts), number)
				b.Bind([]core.Param{{Var: s.nest.ids[0], Type: core.I64}}, &core.Index{Array: s.starts, Slice: at})
			}
			g := b.Nested()
			xs := get(g, s.res)
			needs := core.FreeInBody(&core.Body{Stms: g.Stms(), Res: xs})
			pre := core.Needed(s.nest.prologue[s.from:], needs)
			b.Add(filterCerts(&core.Body{Stms: pre}, func(core.Var) bool { return false }).Stms...)
			b.Add(g.Stms()...)
			return xs
		}
	}
	xs := in.If("x", taken, ts, on(c.sides[0]), on(c.sides[1]))
	return in.Stms(), xs
}

// takesFirst is whether the point with a number takes the first side of a choice.
func (f *flattener) takesFirst(in *core.Builder, c *choice, number core.Operand) core.Operand {
	if c.taken != 0 {
		return in.Index("goes", c.taken, core.Vars(c.nest.ids)...)
	}
	mine := in.Index("start", c.yes.starts, number)
	return in.Cmp(prim.Lt, mine, in.Index("end", c.yes.starts, in.Add64(number, core.Int(1))))
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
