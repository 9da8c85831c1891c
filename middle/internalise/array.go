package internalise

import (
	"skald/frontend/types"
	"skald/middle/core"
	"skald/runtime/prim"
)

func (s *scope) arrayConst(e *types.ArrayConst) []core.Operand {
	elem := types.Force(types.Force(e.Type).(*types.Array).Elem).(*types.Prim).Kind
	if len(e.Values) == 0 {
		return []core.Operand{s.b.Let("lit", &core.Scratch{Elem: elem, Shape: []core.Operand{core.Int(0)}})}
	}
	elems := make([]core.Operand, len(e.Values))
	for i, v := range e.Values {
		elems[i] = core.C(v)
	}
	return []core.Operand{s.b.Let("lit", &core.ArrayLit{Row: core.ScalarType(elem), Elems: elems})}
}

// arrayLit makes an array of its elements, component by component; all rows get the type of the first.
func (s *scope) arrayLit(e *types.ArrayLit) []core.Operand {
	t := types.Force(e.Type).(*types.Array)
	if len(e.Elems) == 0 {
		ts := s.emptyTypes(t)
		out := make([]core.Operand, len(ts))
		for i, ct := range ts {
			out[i] = s.b.Let("lit", &core.Scratch{Elem: ct.Elem, Shape: ct.Shape})
		}
		return out
	}
	var columns [][]core.Operand
	for _, elem := range e.Elems {
		xs := s.exp(elem)
		if columns == nil {
			columns = make([][]core.Operand, len(xs))
		}
		for i, x := range xs {
			columns[i] = append(columns[i], x)
		}
	}
	out := make([]core.Operand, len(columns))
	for i, column := range columns {
		row := s.b.TypeOf(column[0])
		for j, x := range column {
			column[j] = s.sameShape(x, row)
		}
		out[i] = s.b.Let("lit", &core.ArrayLit{Row: row, Elems: column})
	}
	return out
}

// sameShape converts an element of an array literal to the type of the first one, and checks that it has its shape.
func (s *scope) sameShape(x core.Operand, row core.Type) core.Operand {
	have := s.b.TypeOf(x)
	same := s.equalShapes(have.Shape, row.Shape)
	msg := append([]core.MsgPart{core.Text("Elements of an array literal differ in shape: ")}, shapeText(row.Shape)...)
	msg = append(append(msg, core.Text(" and ")), shapeText(have.Shape)...)
	out := x
	s.checked(s.check(same, msg...), func() { out = s.ensure(x, row) })
	return out
}

// sliced is an index or slice of the outer dimensions of an array, ready for any component.
type sliced struct {
	dims  core.Slice
	certs []core.Var
}

// slice translates an index into an array whose outer sizes are shape, and checks it.
func (s *scope) slice(ds []types.Dim, shape []core.Operand) sliced {
	var out sliced
	ok := core.Bool(true)
	msg := []core.MsgPart{core.Text("Index [")}
	for i, d := range ds {
		if i > 0 {
			msg = append(msg, core.Text(", "))
		}
		if d.Index != nil {
			x := s.int64Of(s.scalar(d.Index))
			ok = s.and(ok, s.inBounds(x, shape[i]))
			msg = append(msg, core.Value(x))
			out.dims = append(out.dims, core.Fix(x))
			continue
		}
		dim, inside, text := s.sliceDim(d, shape[i])
		ok = s.and(ok, inside)
		msg = append(msg, text...)
		out.dims = append(out.dims, dim)
	}
	msg = append(append(msg, core.Text("] out of bounds for array of shape ")), shapeText(shape)...)
	out.certs = s.check(ok, append(msg, core.Text("."))...)
	return out
}

// inBounds is the condition 0 <= i < n.
func (s *scope) inBounds(i, n core.Operand) core.Operand {
	low := core.Bool(true)
	if c, ok := i.ConstInt(); ok {
		if c < 0 {
			return core.Bool(false)
		}
	} else {
		low = s.b.Cmp(prim.Ge, i, core.Int(0))
	}
	return s.and(low, s.b.Cmp(prim.Lt, i, n))
}

// sliceDim translates start:end:stride over a dimension of size n, with the condition under which it is inside.
func (s *scope) sliceDim(d types.Dim, n core.Operand) (dim core.Dim, ok core.Operand, msg []core.MsgPart) {
	if d.Stride != nil {
		return s.stridedDim(d, n)
	}
	start, end := core.Int(0), n
	if d.Start != nil {
		start = s.int64Of(s.scalar(d.Start))
		msg = append(msg, core.Value(start))
	}
	msg = append(msg, core.Text(":"))
	if d.End != nil {
		end = s.int64Of(s.scalar(d.End))
		msg = append(msg, core.Value(end))
	}
	dim = core.Range(start, s.b.Sub64(end, start), core.Int(1))
	ok = core.Bool(true)
	if d.Start != nil {
		ok = s.b.Cmp(prim.Ge, start, core.Int(0))
	}
	if d.Start != nil || d.End != nil {
		ok = s.and(ok, s.b.Cmp(prim.Le, start, end))
	}
	if d.End != nil {
		ok = s.and(ok, s.b.Cmp(prim.Le, end, n))
	}
	if ok != core.Bool(true) {
		ok = s.b.Bin(prim.LogOr, ok, s.b.Cmp(prim.Eq, start, end))
	}
	return dim, ok, msg
}

// stridedDim is sliceDim with a stride, which may be negative: then it goes down from start to above end.
func (s *scope) stridedDim(d types.Dim, n core.Operand) (dim core.Dim, ok core.Operand, msg []core.MsgPart) {
	stride := s.int64Of(s.scalar(d.Stride))
	down := s.b.Cmp(prim.Lt, stride, core.Int(0))
	pick := func(e types.Exp, ifDown, ifUp core.Operand) core.Operand {
		if e != nil {
			x := s.int64Of(s.scalar(e))
			msg = append(msg, core.Value(x))
			return x
		}
		return s.choose(down, ifDown, ifUp)
	}
	last := s.b.Sub64(n, core.Int(1))
	start := pick(d.Start, last, core.Int(0))
	msg = append(msg, core.Text(":"))
	end := pick(d.End, core.Int(-1), n)
	msg = append(msg, core.Text(":"), core.Value(stride))

	size := s.b.Un(prim.Abs, stride)
	span := s.choose(down, s.b.Sub64(start, end), s.b.Sub64(end, start))
	count := s.steps(span, size)
	empty := s.b.Cmp(prim.Eq, start, end)
	// What counts is the last element taken: the end may lie further outside.
	final := s.b.Add64(start, s.b.Mul64(s.b.Sub64(count, core.Int(1)), stride))
	up := s.and(s.b.Cmp(prim.Ge, start, core.Int(0)), s.and(s.b.Cmp(prim.Le, start, end), s.b.Cmp(prim.Lt, final, n)))
	downward := s.and(s.b.Cmp(prim.Lt, start, n), s.and(s.b.Cmp(prim.Ge, start, end), s.b.Cmp(prim.Ge, final, core.Int(0))))
	inside := s.chooseBool(down, downward, up)
	if _, fixed := stride.ConstInt(); d.End != nil || !fixed {
		// The sum for the count is at most that of the dimension and a small stride, or may overflow: then it is negative or 0.
		inside = s.and(inside, s.b.Cmp(prim.Ge, count, core.Int(1)))
	}
	// The least i64 has no absolute value either.
	ok = s.and(s.b.Cmp(prim.Ge, size, core.Int(1)), s.b.Bin(prim.LogOr, empty, inside))
	return core.Range(start, count, stride), ok, msg
}

// steps is ceil(span / size), or 0 for a size of 0: a count that is always safe to compute.
func (s *scope) steps(span, size core.Operand) core.Operand {
	if n, ok := size.ConstInt(); ok && n == 1 {
		return span
	}
	safe := s.b.Bin(prim.Max, size, core.Int(1))
	return s.b.Bin(prim.Div, s.b.Sub64(s.b.Add64(span, safe), core.Int(1)), safe)
}

// choose is `if c then x else y` for i64 scalars.
func (s *scope) choose(c, x, y core.Operand) core.Operand { return s.pick(core.I64, c, x, y) }

func (s *scope) chooseBool(c, x, y core.Operand) core.Operand { return s.pick(core.BoolType, c, x, y) }

func (s *scope) pick(t core.Type, c, x, y core.Operand) core.Operand {
	switch {
	case c == core.Bool(true) || x == y:
		return x
	case c == core.Bool(false):
		return y
	}
	give := func(o core.Operand) func(*core.Builder) []core.Operand {
		return func(*core.Builder) []core.Operand { return []core.Operand{o} }
	}
	return s.b.If("t", c, []core.Type{t}, give(x), give(y))[0]
}

// full extends a slice of outer dimensions to all dimensions of an array of type t.
func (sl sliced) full(t core.Type) core.Slice {
	out := append(core.Slice(nil), sl.dims...)
	for _, n := range t.Shape[len(sl.dims):] {
		out = append(out, core.Range(core.Int(0), n, core.Int(1)))
	}
	return out
}

func (s *scope) index(e *types.Index) []core.Operand {
	arrays := s.exp(e.Array)
	sl := s.slice(e.Dims, s.b.TypeOf(arrays[0]).Shape[:len(e.Dims)])
	out := make([]core.Operand, len(arrays))
	s.checked(sl.certs, func() {
		for i, a := range arrays {
			out[i] = s.b.Let("x", &core.Index{Array: a.Var, Slice: sl.full(s.b.TypeOf(a))})
		}
	})
	return out
}

// update replaces the components that the path leads to. Since an array of records is a record of arrays, all indices on the path
// together are one index into each of those components.
func (s *scope) update(e *types.Update) []core.Operand {
	out := append([]core.Operand(nil), s.exp(e.Src)...)
	value := s.exp(e.Value)
	first, count := 0, len(out)
	var path sliced
	t := e.Src.Base().Type
	for _, step := range e.Path {
		if step.Dims == nil {
			off, n, ft := fieldRange(types.Force(t).(*types.Record), step.Field)
			first, count, t = first+off, n, ft
			continue
		}
		shape := s.b.TypeOf(out[first]).Shape[len(path.dims):]
		sl := s.slice(step.Dims, shape[:len(step.Dims)])
		path.dims = append(path.dims, sl.dims...)
		path.certs = append(path.certs, sl.certs...)
		for range step.Dims {
			t = types.Force(t).(*types.Array).Elem
		}
	}
	if path.dims == nil {
		copy(out[first:first+count], value)
		return out
	}
	for i := range value {
		a := out[first+i]
		sl := path.full(s.b.TypeOf(a))
		x := s.fitSlice(value[i], core.SliceType(s.b.TypeOf(a), sl))
		s.checked(path.certs, func() {
			out[first+i] = s.b.Let(s.b.Fun.Base(a.Var), &core.Update{Array: a.Var, Slice: sl, Value: x})
		})
	}
	return out
}

// fitSlice checks that a value has the shape of the slice that it is written to.
func (s *scope) fitSlice(x core.Operand, t core.Type) core.Operand {
	if !t.IsArray() {
		return x
	}
	have := s.b.TypeOf(x)
	same := s.equalShapes(have.Shape, t.Shape)
	msg := append([]core.MsgPart{core.Text("Value of shape ")}, shapeText(have.Shape)...)
	msg = append(append(msg, core.Text(" does not fit a slice of shape ")), shapeText(t.Shape)...)
	out := x
	s.checked(s.check(same, msg...), func() { out = s.ensure(x, t) })
	return out
}

// rangeExp makes an array of numbers at equal distances. Counting is in i64, whatever the type of the numbers.
func (s *scope) rangeExp(e *types.Range) core.Operand {
	elem := types.Force(e.First.Base().Type).(*types.Prim).Kind
	first, last := s.scalar(e.First), s.scalar(e.Last)
	msg := []core.MsgPart{core.Text("Range "), core.Value(first)}
	var second core.Operand
	if e.Second != nil {
		second = s.scalar(e.Second)
		msg = append(msg, core.Text(".."), core.Value(second))
	}
	dots := map[types.RangeKind]string{types.Inclusive: "...", types.UpTo: "..<", types.DownTo: "..>"}[e.Kind]
	msg = append(msg, core.Text(dots), core.Value(last), core.Text(" is invalid."))
	var count, step, ok core.Operand
	if e.Second != nil {
		step = s.b.Bin(prim.Sub, second, first)
		count, ok = s.countStepped(e.Kind, first, second, last)
	} else {
		step = core.C(intValue(elem, 1))
		if e.Kind == types.DownTo {
			step = core.C(intValue(elem, -1))
		}
		count, ok = s.countConsecutive(e.Kind, first, last)
	}
	var out core.Operand
	s.checked(s.check(ok, msg...), func() {
		out = s.b.Let("iota", &core.Iota{Type: elem, N: count, Start: first, Step: step})
	})
	return out
}

// countConsecutive is how many numbers a range without a second number has, and whether that is valid. A count beyond i64 is negative.
func (s *scope) countConsecutive(kind types.RangeKind, first, last core.Operand) (count, ok core.Operand) {
	from, to := s.int64Of(first), s.int64Of(last)
	if kind == types.DownTo {
		from, to = to, from
	}
	count = s.b.Sub64(to, from)
	if kind == types.Inclusive {
		count = s.b.Add64(count, core.Int(1))
		ok = s.b.Cmp(prim.Gt, count, core.Int(0))
	} else {
		ok = s.b.Cmp(prim.Ge, count, core.Int(0))
	}
	if s.b.TypeOf(first).Elem == prim.U64 { // A negative difference may be one that i64 does not hold.
		if kind == types.DownTo {
			first, last = last, first
		}
		ok = s.and(ok, s.b.Cmp(prim.Le, first, last))
	}
	return count, ok
}

// countStepped is how many numbers a range with a second number has, and whether that is valid. Distances are u64, since i64 does not hold
// that of its least and greatest number. A count beyond i64 is negative.
func (s *scope) countStepped(kind types.RangeKind, first, second, last core.Operand) (count, ok core.Operand) {
	down := s.b.Cmp(prim.Lt, second, first)
	distance := func(x core.Operand) core.Operand {
		from, to := s.int64Of(first), s.int64Of(x)
		return s.b.Conv(s.choose(down, s.b.Sub64(from, to), s.b.Sub64(to, from)), prim.U64)
	}
	size, span := s.b.Bin(prim.Max, distance(second), core.C(prim.MakeU64(1))), distance(last)
	whole := s.b.Bin(prim.Div, span, size)
	count = s.int64Of(whole)
	ok = s.chooseBool(down, s.b.Cmp(prim.Ge, first, last), s.b.Cmp(prim.Le, first, last))
	switch kind {
	case types.Inclusive:
		count = s.b.Add64(count, core.Int(1))
		return count, s.and(s.and(ok, s.b.Cmp(prim.Ne, first, second)), s.b.Cmp(prim.Gt, count, core.Int(0)))
	case types.UpTo:
		ok = s.and(ok, s.b.Cmp(prim.Lt, first, second))
	case types.DownTo:
		ok = s.and(ok, down)
	}
	rest := s.b.Bin(prim.Sub, span, s.b.Bin(prim.Mul, whole, size))
	count = s.b.Add64(count, s.int64Of(s.b.Bin(prim.Min, rest, core.C(prim.MakeU64(1)))))
	return count, s.and(ok, s.b.Cmp(prim.Ge, count, core.Int(0)))
}
