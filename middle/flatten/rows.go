package flatten

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// flushRows is flush, which also makes known where the rows of a size start that differs between the points of n.
func (f *flattener) flushRows(n *nest, pending []*core.Stm, later *core.VarSet, size core.Operand) (m *nest, r *rows, ok bool) {
	if r := n.rowsOf(size); r != nil {
		m, ok = f.flush(n, pending, later)
		return m, r, ok
	}
	if o := n.rowsAround(size); o != nil {
		if m, ok = f.flush(n, pending, later); !ok {
			return n, nil, false
		}
		r = f.repeated(n, o)
		return f.located(m, r), r, true
	}
	need := &core.VarSet{}
	need.AddAll(later)
	need.Add(size.Var)
	cheap, keep, _, ok := f.divide(n, pending, need)
	if !ok {
		return n, nil, false
	}
	sizes := f.Param("sizes", core.ArrayOf(core.I64, n.sizes...))
	arrays := f.outputs(n, keep)
	res := append(core.Vars(core.ParamVars(keep)), size)
	f.at(&core.Stm{}, func() { f.segMap(n, pending, res, append(slices.Clip(arrays), sizes)) })
	m = n.with(slices.Concat(f.reading(n, keep, arrays), cheap)...)
	r = f.measure(n, sizes.Var, size)
	return f.located(m, r), r, true
}

// measure makes the offsets of rows, whose sizes are in an array over n, and has the host wait for their number and the longest.
func (f *flattener) measure(n *nest, sizes core.Var, size core.Operand) *rows {
	points := f.Product(n.sizes...)
	arrays := f.startsOf(n, f.Add64(points, core.Int(1)), []counted{{array: sizes}, {array: sizes, longest: true}})
	total, longest := f.Index("total", arrays[0].Var, points), f.Index("longest", arrays[1].Var, points)
	all := offsets{arrays[0].Var, points, total}
	return &rows{offsets: all, size: size, longest: longest, exact: true, counted: f.noWorkgroups()} // a processor reads at once
}

// counted is something of each point that is counted: a size or condition, which is in an array over the nest.
type counted struct {
	array core.Var
	// starts says that the array has where rows start, at one more than the points, and that their lengths are counted.
	starts bool
	where  core.Var // an array over the nest of conditions, where it counts; 0 is everywhere
	// longest says that the largest is looked for, not the sum.
	longest bool
}

// summed is the same, of which the sum is looked for.
func (c counted) summed() counted {
	c.longest = false
	return c
}

// value is what counts of a point.
func (c counted) value(b *core.Builder, flat map[core.Var]core.Var, point core.Operand) core.Operand {
	var x core.Operand
	if c.starts {
		x = b.Sub64(b.Index("end", c.array, b.Add64(point, core.Int(1))), b.Index("start", c.array, point))
	} else {
		x = b.Conv(b.Index("size", flat[c.array], point), prim.I64)
	}
	if c.where != 0 {
		x = b.Mul64(x, b.Conv(b.Index("goes", flat[c.where], point), prim.I64))
	}
	return x
}

// startsOf scans what is counted at the points of n: the results have what comes before each of them, and at last what all come to, count
// elements in all.
func (f *flattener) startsOf(n *nest, count core.Operand, what []counted) []core.Param {
	ops := make([]core.Operator, len(what))
	for k, c := range what {
		op := prim.Add
		if c.longest {
			op = prim.Max
		}
		ops[k] = f.binary(op)
	}
	flat := map[core.Var]core.Var{}
	for _, c := range what {
		for _, a := range []core.Var{c.array, c.where} {
			if _, done := flat[a]; done || a == 0 {
				continue
			}
			if flat[a] = a; n.depth() > 1 && f.TypeOf(core.V(a)).Rank() > 1 {
				flat[a] = f.LetVar("sizes", &core.Reshape{Shape: []core.Operand{f.Product(n.sizes...)}, Array: a})
			}
		}
	}
	i := f.Param("i", core.I64)
	arrays := make([]core.Param, len(what))
	distinct := make([]counted, 0, len(what)) // what is read
	for k, c := range what {
		base := "starts"
		if c.longest {
			base = "longest"
		}
		arrays[k] = f.Param(base, core.ArrayOf(core.I64, count))
		if c = c.summed(); !slices.Contains(distinct, c) {
			distinct = append(distinct, c)
		}
	}
	ret := slices.Repeat([]core.Type{core.I64}, len(what))
	body := f.Build(func(b *core.Builder) []core.Operand {
		later := b.Cmp(prim.Lt, core.Int(0), core.V(i.Var))
		xs := b.If("size", later, ret[:len(distinct)], func(b *core.Builder) []core.Operand {
			point := b.Sub64(core.V(i.Var), core.Int(1))
			var xs []core.Operand
			for _, c := range distinct {
				xs = append(xs, c.value(b, flat, point))
			}
			return xs
		}, func(*core.Builder) []core.Operand { return slices.Repeat([]core.Operand{core.Int(0)}, len(distinct)) })
		var res []core.Operand
		for _, c := range what {
			res = append(res, xs[slices.Index(distinct, c.summed())])
		}
		return res
	})
	f.Bind(arrays, &core.SegScan{
		Level: core.LevelGrid, Space: core.Space{Ids: []core.Var{i.Var}, Sizes: []core.Operand{count}}, Ops: ops, Body: body, Ret: ret,
	})
	return arrays
}

// binary is an operator on sizes, with 0 as its neutral element.
func (f *flattener) binary(op prim.BinOp) core.Operator {
	two := []core.Type{core.I64, core.I64}
	l := f.Lambda("x", two, two[:1], func(b *core.Builder, ps []core.Operand) []core.Operand {
		return []core.Operand{b.Bin(op, ps[0], ps[1])}
	})
	return core.Operator{Lambda: l, Neutral: []core.Operand{core.Int(0)}, Commutative: true}
}

// expanded is the nest of all elements of rows of n, or of all pieces. It returns also the row of an element, and its number in the row.
func (f *flattener) expanded(n *nest, o offsets) (m *nest, row, j core.Operand) {
	k := f.Param("k", core.I64)
	in := f.Nested()
	row = f.search(in, o, core.V(k.Var))
	j = in.Sub64(core.V(k.Var), in.Index("start", o.starts, row))
	f.bindPoint(in, n, row)
	return n.replaced(k.Var, o.total, in), row, j
}

// oneDimension is the nest of equally many elements at each point of n, in one dimension. It returns also the number of an element at its
// point.
func (f *flattener) oneDimension(n *nest, size core.Operand) (m *nest, j core.Operand) {
	k := f.Param("k", core.I64)
	in := f.Nested()
	j = in.Bin(prim.Rem, core.V(k.Var), size)
	f.bindPoint(in, n, in.Bin(prim.Quot, core.V(k.Var), size))
	return n.replaced(k.Var, f.Product(append(slices.Clip(n.sizes), size)...), in), j
}

// bindPoint binds the ids of a nest to those of the point with a number.
func (f *flattener) bindPoint(b *core.Builder, n *nest, point core.Operand) {
	for d, id := range slices.Backward(n.ids) {
		p := []core.Param{{Var: id, Type: core.I64}}
		if d == 0 {
			b.Bind(p, &core.Use{X: point})
			break
		}
		b.Bind(p, &core.Bin{Op: prim.Rem, Type: prim.I64, X: point, Y: n.sizes[d]})
		point = b.Bin(prim.Quot, point, n.sizes[d])
	}
}

// replaced is a nest of one dimension instead of n, from whose index statements compute the ids of n.
func (n *nest) replaced(id core.Var, size core.Operand, ids *core.Builder) *nest {
	m := n.extend(id, size)
	m.ids, m.sizes, m.prologue, m.around = []core.Var{id}, []core.Operand{size}, ids.Stms(), nil
	m = m.binding(ids.Stms()...)
	return m.with(n.prologue...)
}

// search finds the row of an element: the last one that starts at it or before, which is not an empty one.
func (f *flattener) search(b *core.Builder, o offsets, k core.Operand) core.Operand {
	more, low, high := b.Param("more", core.ScalarType(prim.Bool)), b.Param("low", core.I64), b.Param("high", core.I64)
	init := []core.Operand{b.Cmp(prim.Lt, core.Int(1), o.rows), core.Int(0), o.rows}
	one := []core.Type{core.I64}
	found := b.WhileLoop([]core.Param{more, low, high}, init, more.Var, func(b *core.Builder, ps []core.Operand) []core.Operand {
		middle := b.Bin(prim.Quot, b.Add64(ps[1], ps[2]), core.Int(2))
		before := b.Cmp(cmpLe, b.Index("start", o.starts, middle), k)
		choose := func(x, y core.Operand) core.Operand {
			return b.If("side", before, one, func(*core.Builder) []core.Operand { return []core.Operand{x} },
				func(*core.Builder) []core.Operand { return []core.Operand{y} })[0]
		}
		low, high := choose(middle, ps[1]), choose(ps[2], middle)
		return []core.Operand{b.Cmp(prim.Lt, core.Int(1), b.Sub64(high, low)), low, high}
	})
	return found[1]
}

// elementsOf binds the parameters of a lambda to element j of arrays, in the nest of all elements of rows.
func (f *flattener) elementsOf(m *nest, r *rows, j core.Operand, params []core.Param, arrays []core.Var) *nest {
	in := f.Nested()
	for i, p := range params {
		k := slices.IndexFunc(r.arrays, func(a flatArray) bool { return a.row == arrays[i] })
		if k < 0 {
			f.element(in, p, arrays[i], j)
			continue
		}
		f.element(in, p, r.arrays[k].all, core.V(m.ids[0]))
	}
	return m.with(in.Stms()...)
}

// rowsAt makes known, at the points of n, the rows of arrays of all elements.
func (f *flattener) rowsAt(n *nest, r *rows, dst, all []core.Param) *nest {
	r.counted = true
	in := f.Nested()
	for i, p := range dst {
		if p.Type.Kind == core.KindAcc {
			continue
		}
		sl := core.FullSlice(all[i].Type)
		sl[0] = core.Range(r.start, r.size, core.Int(1))
		in.Bind([]core.Param{p}, &core.Index{Array: all[i].Var, Slice: sl})
		r.arrays = append(r.arrays, flatArray{p.Var, all[i].Var})
	}
	return n.with(in.Stms()...)
}

// pointsOf are the elements of results that are rows.
func pointsOf(dst []core.Param) []core.Param {
	out := make([]core.Param, len(dst))
	for i, p := range dst {
		out[i] = p
		if p.Type.IsArray() {
			out[i] = core.Param{Var: p.Var, Type: p.Type.Row(1)}
		}
	}
	return out
}

// mapRows makes a map over rows one over all elements.
func (f *flattener) mapRows(n *nest, r *rows, e *core.Screma, dst []core.Param) *nest {
	m, _, j := f.expanded(n, r.offsets)
	m = f.elementsOf(m, r, j, e.Map.Params, e.Arrays)
	all := f.outputs(m, pointsOf(dst))
	f.nestBody(m, e.Map.Body, all)
	return f.rowsAt(n, r, dst, all)
}

// scanRows makes a scan of rows one of all elements.
func (f *flattener) scanRows(n *nest, r *rows, e *core.Screma, dst []core.Param) *nest {
	m, _, j := f.expanded(n, r.offsets)
	m = f.elementsOf(m, r, j, e.Map.Params, e.Arrays)
	in := f.Nested()
	first := in.Cmp(prim.Eq, j, core.Int(0))
	stms := append(slices.Clip(e.Map.Body.Stms), in.Stms()...)
	all := f.outputs(m, pointsOf(dst))
	f.scanFlagged(m, stms, append([]core.Operand{first}, e.Map.Body.Res...), e.Scans, e.Post, all)
	return f.rowsAt(n, r, dst, all)
}

// scanFlagged makes a scan of what statements compute at the points of n: a flag that says that a row starts, and values, which go through
// a post lambda if there is one.
func (f *flattener) scanFlagged(
	n *nest, stms []*core.Stm, res []core.Operand, ops []core.Operator, post *core.Lambda, outs []core.Param,
) {
	sp, body, _ := f.kernel(n, stms, res)
	flag := f.Param("flags", core.ArrayOf(core.ScalarType(prim.Bool), n.sizes...))
	op := f.flagged(ops)
	f.checkPlaceable(op.Lambda)
	scan := &core.SegScan{Level: core.LevelGrid, Space: sp, Ops: []core.Operator{op}, Body: body, Ret: op.Lambda.Ret}
	if post == nil {
		f.Bind(append([]core.Param{flag}, outs...), scan)
		return
	}
	params := append([]core.Param{f.Param("flag", core.ScalarType(prim.Bool))}, post.Params...)
	scan.Post = &core.Lambda{Params: params, Body: post.Body, Ret: post.Ret}
	f.Bind(outs, scan)
}

// flagged combines operators to one that starts again where a flag says so.
func (f *flattener) flagged(ops []core.Operator) core.Operator {
	ret := []core.Type{core.ScalarType(prim.Bool)}
	for _, op := range ops {
		ret = append(ret, op.Lambda.Ret...)
	}
	k := len(ret)
	l := f.Lambda("x", append(slices.Clip(ret), ret...), ret, func(b *core.Builder, ps []core.Operand) []core.Operand {
		left, right := ps[1:k], ps[k+1:]
		values := b.If("x", ps[k], ret[1:], func(*core.Builder) []core.Operand { return right }, func(b *core.Builder) []core.Operand {
			var res []core.Operand
			at := 0
			for _, op := range ops {
				w := len(op.Neutral)
				args := append(slices.Clip(left[at:at+w]), right[at:at+w]...)
				res = append(res, b.Apply(f.sequentialLambda(op.Lambda), renamed, args...)...)
				at += w
			}
			return res
		})
		return append([]core.Operand{b.Bin(prim.LogOr, ps[0], ps[k])}, values...)
	})
	return core.Operator{Lambda: l, Neutral: append([]core.Operand{core.Bool(false)}, core.Neutrals(ops)...)}
}

// leastPiece is how many elements a thread reduces at least.
const leastPiece = 8

// reduceRows makes a reduction of rows one of pieces, as many as there are threads, and one of what these come to.
func (f *flattener) reduceRows(n *nest, r *rows, e *core.Screma, dst []core.Param) *nest {
	pieces := f.pieces(r)

	m, row, q := f.expanded(n, pieces.offsets)
	in := f.Nested()
	first := in.Cmp(prim.Eq, q, core.Int(0))
	values := f.piece(in, pieces, r, e, row, q)
	ts := append([]core.Type{core.ScalarType(prim.Bool)}, core.ParamTypes(dst)...)
	partial := make([]core.Param, len(ts))
	for i, t := range ts {
		partial[i] = f.Param("partial", core.ArrayOf(t, pieces.total))
	}
	f.segMap(m.binding(in.Stms()...), in.Stms(), append([]core.Operand{first}, values...), partial)

	k := f.Param("k", core.I64)
	over := (&nest{}).extend(k.Var, pieces.total)
	in = f.Nested()
	var flags []core.Operand
	for _, p := range partial {
		flags = append(flags, in.Index("x", p.Var, core.V(k.Var)))
	}
	sums := make([]core.Param, len(dst))
	for i, p := range dst {
		sums[i] = f.Param("sums", core.ArrayOf(p.Type, pieces.total))
	}
	f.scanFlagged(over, in.Stms(), flags, e.Reds, nil, sums)

	in = f.Nested()
	last := in.Sub64(in.Index("end", pieces.starts, in.Add64(r.row, core.Int(1))), core.Int(1))
	for i, p := range dst {
		in.Bind([]core.Param{p}, &core.Index{Array: sums[i].Var, Slice: core.Slice{core.Fix(last)}})
	}
	return n.with(in.Stms()...)
}

// pieces are pieces of rows, each of so many elements.
type pieces struct {
	offsets
	// elements computes how many elements a piece has.
	elements func(*core.Builder) core.Operand
	// more says that there may be more than the last row needs, which have no elements.
	more bool
}

// pieces cuts rows into pieces. Row i, which starts at s, has its first at s / piece + i: so each row has one more than its elements need,
// at most, and one at least. Their number follows from that of all elements. Where nothing else has the host wait for that, there are as
// many as there can be: a piece has leastPiece elements or more, and more only where threads are fewer, so that rounding down their number
// adds a piece for each leastPiece threads at most.
func (f *flattener) pieces(r *rows) pieces {
	threads := f.Let("threads", &core.Fact{Name: "threads"})
	of := func(b *core.Builder, total core.Operand) core.Operand {
		return b.Bin(prim.Max, core.Int(leastPiece), b.Bin(prim.Quot, total, threads))
	}
	out := pieces{more: !r.counted}
	var most core.Operand
	if r.counted {
		elements := of(f.Builder, r.total)
		out.elements = func(*core.Builder) core.Operand { return elements }
		most = f.Bin(prim.Quot, r.total, elements)
	} else {
		out.elements = func(b *core.Builder) core.Operand { return of(b, b.Index("total", r.starts, r.rows)) }
		some := f.Bin(prim.Min, core.Int(1), r.rows)
		most = f.Mul64(some, f.Add64(threads, f.Bin(prim.Quot, threads, core.Int(leastPiece))))
	}
	count := f.Add64(r.rows, core.Int(1))
	i := f.Param("i", core.I64)
	n := (&nest{}).extend(i.Var, count)
	in := f.Nested()
	start := in.Add64(in.Bin(prim.Quot, in.Index("start", r.starts, core.V(i.Var)), out.elements(in)), core.V(i.Var))
	starts := f.Param("pieces", core.ArrayOf(core.I64, count))
	f.segMap(n.binding(in.Stms()...), in.Stms(), []core.Operand{start}, []core.Param{starts})
	out.offsets = offsets{starts.Var, r.rows, f.Add64(most, r.rows)}
	return out
}

// piece reduces piece q of a row. Pieces are elements that follow one another, or, where the operators commute, every so many: then
// neighbouring threads read neighbouring elements.
func (f *flattener) piece(b *core.Builder, pieces pieces, r *rows, e *core.Screma, row, q core.Operand) []core.Operand {
	var first, step, count core.Operand
	if slices.ContainsFunc(e.Reds, func(op core.Operator) bool { return !op.Commutes() }) {
		piece := pieces.elements(b)
		first, step = b.Mul64(q, piece), core.Int(1)
		count = b.Bin(prim.Max, core.Int(0), b.Bin(prim.Min, piece, b.Sub64(r.size, first)))
	} else {
		mine := b.Index("start", pieces.starts, row)
		step = b.Sub64(b.Index("end", pieces.starts, b.Add64(row, core.Int(1))), mine)
		first = q
		left := b.Sub64(b.Add64(r.size, step), b.Add64(q, core.Int(1)))
		count = b.Bin(prim.Quot, b.Bin(prim.Max, core.Int(0), left), step)
		if pieces.more {
			count = b.Mul64(count, b.Conv(b.Cmp(prim.Lt, q, step), prim.I64))
		}
	}
	ps := make([]core.Param, len(e.Map.Ret))
	for i, t := range e.Map.Ret {
		ps[i] = b.Param("acc", t)
	}
	return b.ForLoop(ps, core.Neutrals(e.Reds), count, func(b *core.Builder, i core.Operand, _ []core.Operand) []core.Operand {
		j := b.Add64(first, b.Mul64(i, step))
		vs := f.applySequential(b, e.Map, f.elements(b, e.Arrays, j))
		return f.combine(b, e.Reds, ps, vs)
	})
}
