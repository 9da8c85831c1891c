package flatten

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Rows of rows]
//
// Points may have arrays whose rows, too, have a length that differs from point to point: matrices of different sizes, one at each point.
// The elements of such an array, in row-major order, are one row, its flat row, of as many elements as its sizes multiply to. What makes
// such arrays becomes what makes their flat rows, of which the arrays are views, and that is flattened as rows are: see Note [Irregular
// nests]. A map fills its flat row:
//
//	let a : [m][k]i32 = map (\x -> … : [k]i32) xs
//
//	let flat = with_acc (scratch (m * k)) (\acc -> map (\i x -> let y = … in map (\j z -> acc[i * k + j] := z) (iota k) y) (iota m) xs)
//	let a = reshape [m][k] flat
//
// What the map does at each of its elements is flattened over all elements of all points, and the updates over the elements of their rows.
// Copies, joined arrays, branches and loops pass flat rows on; updates in place and those of accumulators are updates of flat rows, by one
// index; reductions and scans of rows as vectors are interchanged with the maps that their operators are, as they are on the host.
//
// A nest remembers which flat rows arrays are views of, and the product of which sizes a variable is, so that the host measures rows of a
// size once. A flat row that is made of another view of an array, such as a transposed one, is read by computed indices, not copied by
// each thread (see unevenly).

// rowsOfRows reports whether a statement inside n makes arrays whose rows differ in length between points, of sizes that are known before
// it, and can make flat rows.
func (f *flattener) rowsOfRows(n *nest, s *core.Stm) bool {
	switch e := core.Match(s.Exp).(type) {
	case *core.Screma:
		return f.interchangesRows(n, e) || f.returnsRows(n, e, s.Dst)
	case *core.Copy, *core.Concat:
		return n.ofRows(s.Dst)
	case *core.Update:
		return slices.ContainsFunc(s.Dst[0].Type.Shape, n.variant)
	case *core.WithAcc:
		return f.fillsRows(n, e)
	case *core.If:
		return n.ofRows(s.Dst) && f.ofPoints(n, &core.Stm{Dst: n.flattened(s.Dst), Exp: e})
	case *core.Loop:
		l := *e
		l.Params = n.flattened(e.Params)
		return n.ofRows(e.Params) && f.ofPoints(n, &core.Stm{Dst: n.flattened(s.Dst), Exp: &l})
	default:
	}
	return false
}

// isMatrix reports whether an array at a point of n has rows whose sizes differ between points.
func (n *nest) isMatrix(t core.Type) bool {
	return t.IsArray() && t.Rank() > 1 && slices.ContainsFunc(t.Shape[1:], n.variant)
}

// ofRows reports whether there are such arrays among values, of sizes that are no values themselves.
func (n *nest) ofRows(ps []core.Param) bool {
	found := false
	for _, p := range ps {
		if n.isMatrix(p.Type) {
			if slices.ContainsFunc(p.Type.Shape, func(size core.Operand) bool { return isOwn(ps, size) }) {
				return false
			}
			found = true
		}
	}
	return found
}

// flattened are values with flat rows in place of matrices. Which size a row has does not matter to those who ask.
func (n *nest) flattened(ps []core.Param) []core.Param {
	out := slices.Clone(ps)
	for i, p := range ps {
		if n.isMatrix(p.Type) {
			k := slices.IndexFunc(p.Type.Shape, n.variant)
			out[i].Type = core.ArrayOf(core.ScalarType(p.Type.Elem), p.Type.Shape[k])
		}
	}
	return out
}

// returnsRows reports whether a map, or more, inside n returns arrays whose rows differ in length between points.
func (f *flattener) returnsRows(n *nest, e *core.Screma, dst []core.Param) bool {
	for _, p := range dst {
		if p.Type.IsArray() && !slices.ContainsFunc(p.Type.Shape, n.variant) || !p.Type.IsArray() && !p.Type.IsScalar() {
			return false
		}
	}
	return n.ofRows(dst) && f.segmentable(n, e)
}

// interchangesRows reports whether a reduction or scan inside n combines rows as vectors, of lengths that differ between points.
func (f *flattener) interchangesRows(n *nest, e *core.Screma) bool {
	inner, _, ok := f.vectorOperator(e)
	return ok && (n.variant(e.Size) || n.variant(inner.Size))
}

// fillsRows reports whether a WithAcc inside n updates arrays of several dimensions, of sizes that differ between points, which may be
// updates of flat rows.
func (f *flattener) fillsRows(n *nest, e *core.WithAcc) bool {
	if len(e.Lambda.Ret) != len(e.Inputs) || !hasParallelism(e) && !onlyUpdates(e) {
		return false
	}
	several := false
	for _, in := range e.Inputs {
		t := f.TypeOf(core.V(in.Arrays[0]))
		several = several || t.Rank() > 1
		spread := in
		if t.Rank() > len(in.Shape) {
			ok := false
			if spread, _, ok = f.elementwise(in); !ok {
				return false
			}
		}
		if alone(spread) {
			return false
		}
		if !slices.ContainsFunc(t.Shape, n.variant) || slices.ContainsFunc(in.Neutral, n.variant) || in.Op != nil && !n.closed(in.Op) {
			return false
		}
	}
	return several
}

// flatParts returns the statements that one with rows of rows inside n consists of. The nest is one that nobody else has yet.
func (f *flattener) flatParts(n *nest, s *core.Stm) []*core.Stm {
	b := f.Nested()
	b.Where, b.Attrs, b.Certs = s.Aux.Where, s.Aux.Attrs, s.Aux.Certs
	switch e := core.Match(s.Exp).(type) {
	case *core.Screma:
		if res, ok := f.interchanged(b, e); ok {
			for i, r := range res {
				b.Bind(s.Dst[i:i+1], &core.Use{X: r})
			}
			break
		}
		f.filledRows(b, n, e, s.Dst)
	case *core.Copy:
		f.flatDst(b, n, s.Dst, func(flat []core.Param) { b.Bind(flat, &core.Copy{Array: f.flatRow(b, n, e.Array)}) })
	case *core.Concat:
		f.flatDst(b, n, s.Dst, func(flat []core.Param) {
			parts := make([]core.Var, len(e.Arrays))
			for i, a := range e.Arrays {
				parts[i] = f.flatRow(b, n, a)
			}
			b.Bind(flat, &core.Concat{Size: flat[0].Type.Shape[0], Arrays: parts})
		})
	case *core.Update:
		e2 := f.accOfUpdate(b, e)
		f.flatDst(b, n, s.Dst, func(flat []core.Param) { b.Bind(flat, f.flatAcc(b, n, e2)) })
	case *core.WithAcc:
		f.flatDst(b, n, s.Dst, func(flat []core.Param) { b.Bind(flat, f.flatAcc(b, n, f.ofElements(e))) })
	case *core.If:
		f.flatDst(b, n, s.Dst, func(flat []core.Param) {
			b.Bind(flat, &core.If{Cond: e.Cond, Then: f.flatResults(b, e.Then, flat), Else: f.flatResults(b, e.Else, flat)})
		})
	case *core.Loop:
		f.flatDst(b, n, s.Dst, func(flat []core.Param) { b.Bind(flat, f.flatLoop(b, n, e, flat)) })
	default:
	}
	return b.Stms()
}

// flatMatrix is an array and the flat row that it is a view of.
type flatMatrix struct{ matrix, flat core.Var }

// flatSize is how many elements arrays of a shape have.
type flatSize struct {
	shape []core.Operand
	size  core.Operand
}

// noteFlat remembers that an array of several dimensions is a view of a flat row, if it is.
func (f *flattener) noteFlat(n *nest, s *core.Stm) {
	e, ok := s.Exp.(*core.Reshape)
	if !ok || len(e.Shape) < 2 {
		return
	}
	array := f.TypeOf(core.V(e.Array))
	if array.Rank() != 1 || n.invariant(array.Shape[0]) {
		return
	}
	n.flats = append(slices.Clip(n.flats), flatMatrix{s.Dst[0].Var, e.Array})
	if !slices.ContainsFunc(n.flatSizes, func(z flatSize) bool { return slices.Equal(z.shape, e.Shape) }) {
		n.flatSizes = append(slices.Clip(n.flatSizes), flatSize{e.Shape, array.Shape[0]})
	}
}

// flatSize is the size of the flat rows of arrays of a shape.
func (f *flattener) flatSize(b *core.Builder, n *nest, shape []core.Operand) core.Operand {
	if i := slices.IndexFunc(n.flatSizes, func(z flatSize) bool { return slices.Equal(z.shape, shape) }); i >= 0 {
		return n.flatSizes[i].size
	}
	size := b.Product(shape...)
	n.flatSizes = append(slices.Clip(n.flatSizes), flatSize{shape, size})
	return size
}

// flatRow is the flat row of an array.
func (f *flattener) flatRow(b *core.Builder, n *nest, a core.Var) core.Var {
	if i := slices.IndexFunc(n.flats, func(m flatMatrix) bool { return m.matrix == a }); i >= 0 {
		return n.flats[i].flat
	}
	t := b.TypeOf(core.V(a))
	if t.Rank() == 1 {
		return a
	}
	return b.LetVar("flat", &core.Reshape{Shape: []core.Operand{f.flatSize(b, n, t.Shape)}, Array: a})
}

// flatDst has the flat rows of results bound, where these are arrays of several dimensions and sizes that differ between points, and makes
// the results views of them.
func (f *flattener) flatDst(b *core.Builder, n *nest, dst []core.Param, bind func(flat []core.Param)) {
	flat := slices.Clone(dst)
	for i, p := range dst {
		if p.Type.Rank() > 1 && slices.ContainsFunc(p.Type.Shape, n.variant) {
			flat[i] = b.Param("flat", core.ArrayOf(core.ScalarType(p.Type.Elem), f.flatSize(b, n, p.Type.Shape)))
		}
	}
	bind(flat)
	for i, p := range dst {
		if flat[i].Var != p.Var {
			b.Bind(dst[i:i+1], &core.Reshape{Shape: p.Type.Shape, Array: flat[i].Var})
		}
	}
}

// filledRows adds a map that returns rows of rows, as one that fills flat rows.
func (f *flattener) filledRows(b *core.Builder, n *nest, e *core.Screma, dst []core.Param) {
	inputs, accs := make([]core.AccInput, len(dst)), make([]core.Param, len(dst))
	for i, p := range dst {
		shape := []core.Operand{f.flatSize(b, n, p.Type.Shape)}
		row := b.LetVar("row", &core.Scratch{Elem: p.Type.Elem, Shape: shape})
		inputs[i], accs[i] = core.AccInput{Shape: shape, Arrays: []core.Var{row}}, b.Param("acc", core.Type{})
		accs[i].Type = core.AccType(accs[i].Var)
	}
	ret := core.ParamTypes(accs)
	fill := b.LambdaOf(accs, ret, func(b *core.Builder, _ []core.Operand) []core.Operand {
		ps := append([]core.Param{b.Param("i", core.I64)}, e.Map.Params...)
		each := b.LambdaOf(ps, ret, func(b *core.Builder, _ []core.Operand) []core.Operand {
			b.Scope.BindBody(e.Map.Body)
			b.Add(e.Map.Body.Stms...)
			var res []core.Operand
			for i, y := range e.Map.Body.Res {
				res = append(res, f.fillRow(b, accs[i], core.V(ps[0].Var), y))
			}
			return res
		})
		return b.LetTypes("acc", ret, &core.Screma{Size: e.Size, Arrays: append([]core.Var{f.iota(b, e.Size)}, e.Arrays...), Map: each})
	})
	f.flatDst(b, n, dst, func(flat []core.Param) { b.Bind(flat, &core.WithAcc{Inputs: inputs, Lambda: fill}) })
}

// fillRow adds updates of an accumulator by a value, whose elements in row-major order come behind those of at values like it.
func (f *flattener) fillRow(b *core.Builder, acc core.Param, at, value core.Operand) core.Operand {
	ret, t := []core.Type{acc.Type}, b.TypeOf(value)
	if t.IsScalar() {
		return b.LetTypes("acc", ret, &core.UpdateAcc{Acc: acc.Var, Index: []core.Operand{at}, Values: []core.Operand{value}})[0]
	}
	l := b.Lambda("x", []core.Type{core.I64, t.Row(1)}, ret, func(b *core.Builder, ps []core.Operand) []core.Operand {
		return []core.Operand{f.fillRow(b, acc, b.Add64(b.Mul64(at, t.Shape[0]), ps[0]), ps[1])}
	})
	return b.LetTypes("acc", ret, &core.Screma{Size: t.Shape[0], Arrays: []core.Var{f.iota(b, t.Shape[0]), value.Var}, Map: l})[0]
}

// flatAcc makes accumulators of elements of several dimensions those of flat rows.
func (f *flattener) flatAcc(b *core.Builder, n *nest, e *core.WithAcc) *core.WithAcc {
	inputs, body := slices.Clone(e.Inputs), e.Lambda.Body
	for i, in := range inputs {
		if len(in.Shape) < 2 {
			continue
		}
		shape := in.Shape
		inputs[i].Arrays = make([]core.Var, len(in.Arrays))
		for k, a := range in.Arrays {
			inputs[i].Arrays[k] = f.flatRow(b, n, a)
		}
		inputs[i].Shape = b.TypeOf(core.V(inputs[i].Arrays[0])).Shape
		body = f.mapUpdates(body, e.Lambda.Params[i].Var, func(in *core.Builder, s *core.Stm, up *core.UpdateAcc) {
			at := []core.Operand{flatIndex(in, shape, up.Index)}
			in.Add(&core.Stm{Dst: s.Dst, Exp: &core.UpdateAcc{Acc: up.Acc, Index: at, Values: up.Values}, Aux: s.Aux})
		})
	}
	return &core.WithAcc{Inputs: inputs, Lambda: &core.Lambda{Params: e.Lambda.Params, Body: body, Ret: e.Lambda.Ret}}
}

// flatIndex is the index in a flat row of an element: one that is ignored if the element is outside of the array.
func flatIndex(b *core.Builder, shape, is []core.Operand) core.Operand {
	inside, at := core.Bool(true), core.Int(0)
	for d, i := range is {
		here := b.Bin(prim.LogAnd, b.Cmp(prim.Le, core.Int(0), i), b.Cmp(prim.Lt, i, shape[d]))
		inside = b.Bin(prim.LogAnd, inside, here)
	}
	return b.If("at", inside, []core.Type{core.I64}, func(b *core.Builder) []core.Operand {
		for d, i := range is {
			at = b.Add64(b.Mul64(at, shape[d]), i)
		}
		return []core.Operand{at}
	}, func(*core.Builder) []core.Operand { return []core.Operand{core.Int(-1)} })[0]
}

// flatResults is a body that returns flat rows where flat has them.
func (f *flattener) flatResults(b *core.Builder, body *core.Body, flat []core.Param) *core.Body {
	return b.Build(func(b *core.Builder) []core.Operand {
		b.Scope.BindBody(body)
		b.Add(body.Stms...)
		res := slices.Clone(body.Res)
		for i, r := range res {
			if t := b.TypeOf(r); t.Rank() > flat[i].Type.Rank() {
				res[i] = b.Let("flat", &core.Reshape{Shape: flat[i].Type.Shape, Array: r.Var})
			}
		}
		return res
	})
}

// flatLoop is a loop that passes on flat rows where flat has them.
func (f *flattener) flatLoop(b *core.Builder, n *nest, e *core.Loop, flat []core.Param) *core.Loop {
	l := *e
	l.Params, l.Init = slices.Clone(e.Params), slices.Clone(e.Init)
	inner := &core.Body{Res: e.Body.Res}
	for i, p := range e.Params {
		if p.Type.Rank() == flat[i].Type.Rank() {
			continue
		}
		l.Params[i] = b.Param("flat", flat[i].Type)
		l.Init[i] = core.V(f.flatRow(b, n, e.Init[i].Var))
		inner.Stms = append(inner.Stms, &core.Stm{Dst: []core.Param{p}, Exp: &core.Reshape{Shape: p.Type.Shape, Array: l.Params[i].Var}})
	}
	b.Scope.BindAll(l.Params)
	inner.Stms = append(inner.Stms, e.Body.Stms...)
	l.Body = f.flatResults(b, inner, flat)
	return &l
}

// iota adds the numbers below a size.
func (f *flattener) iota(b *core.Builder, size core.Operand) core.Var {
	is := b.LetVar("is", &core.Iota{Type: prim.I64, N: size, Start: core.Int(0), Step: core.Int(1)})
	f.noteStm(b.Stms()[len(b.Stms())-1])
	return is
}
