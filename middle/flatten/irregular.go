package flatten

import (
	"fmt"
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Irregular nests]
//
// A SOAC inside of a map whose size differs from point to point has rows of different lengths. Its elements are as parallel as those of
// others (flattening by expansion, Elsman, Henriksen and Serup, ARRAY 2019; Blelloch, 1990):
//
//   - A kernel over the nest computes the lengths, a scan where each row starts in an array that has all rows one after the other (the
//     offsets). The host waits once, for the number of all elements and the longest row.
//   - A kernel over all elements finds out, by a binary search in the offsets, which row its element is of. From there on the element is a
//     point like any other: the ids of the nest are computed from the row's number, and the body is flattened over the elements, so what is
//     irregular inside is treated in the same way.
//   - A result that is an array stays in the array of all rows; at a point of the nest it is a slice of that, which costs nothing.
//   - A scan goes over all rows at once, by an operator that starts again where a flag says that a row does.
//   - Updates of rows by accumulators (scatters, and so filters) are updates of the array of all rows, whose indices stay within their row.
//   - A reduction first runs sequentially over pieces of rows, as many as the device has threads; what these come to is scanned so, and the
//     last value of each row is its result. So it needs memory for pieces, not for elements, and if all that goes over some rows is
//     reductions the host does not wait for their number.
//   - A histogram goes over all elements, into bins of all points, or into all rows of bins. An update in place of a row is a scatter.
//
// It is a version beside the one in which each point goes through its rows by itself. That runs where there are as many points as
// suff_outer_par says, or, unless somebody has set it, as saturate the device: without waiting. (Where a body has regular operations as
// well, costs decide, as in Note [Versions of map bodies]; rows then count someTrips.) It also runs where the longest row has fewer
// elements than suff_inner_par says, if the rest of the body goes through these rows alone; where it has branches or loops of points, if
// that costs less when all rows are as long as the longest; and where the device cannot hold an array of all elements.
//
// Branches and loops whose condition differs are in Note [Branches and loops of points], operators that differ in Note [Operators of
// points], arrays of several dimensions in Note [Rows of rows]. Rows stay with the threads of their points inside of operators and in
// workgroups.

// offsets say where rows start among elements, or pieces of rows, that lie one after the other.
type offsets struct {
	starts core.Var     // one more than there are rows: what comes before each of them, and how many there are
	rows   core.Operand // how many rows: the points of the nest
	total  core.Operand
}

// rows are rows of different lengths, one at each point of a nest.
type rows struct {
	offsets
	size    core.Operand // the length of the row at a point
	longest core.Operand // at least as long as each
	exact   bool         // one is as long as that
	counted bool         // the host knows how many elements there are, or waits for that in any case
	row     core.Operand // the number of the point
	start   core.Operand // what comes before its row
	arrays  []flatArray
}

// flatArray is an array of one row at each point, and the array of all rows.
type flatArray struct{ row, all core.Var }

// irregular reports whether a statement inside n is a SOAC over rows of different lengths whose elements can be points of kernels.
func (f *flattener) irregular(n *nest, s *core.Stm) bool {
	if f.inGroup || n.depth() == 0 || len(s.Dst) == 0 || attrSequential.in(s.Aux.Attrs) {
		return false
	}
	if f.rowsOfRows(n, s) {
		return true
	}
	switch e := core.Match(s.Exp).(type) {
	case *core.If, *core.Loop:
		return f.ofPoints(n, s)
	case *core.Screma:
		return n.variant(e.Size) && f.segmentable(n, e) && n.rowsOnly(e.Size, s.Dst)
	case *core.WithAcc:
		return f.irregularAcc(n, e)
	case *core.Hist:
		return f.irregularHist(n, e)
	case *core.Update:
		return f.irregularUpdate(n, e)
	case *core.Copy, *core.Concat:
		size := s.Dst[0].Type.Shape[0]
		return n.variant(size) && n.rowsOnly(size, s.Dst)
	default:
	}
	return false
}

// rowsOnly reports whether values are scalars, accumulators that all points share, or arrays of a size whose elements have regular sizes.
func (n *nest) rowsOnly(size core.Operand, ps []core.Param) bool {
	for _, p := range ps {
		switch {
		case p.Type.IsScalar(), n.shared(p):
		case p.Type.IsArray() && p.Type.Shape[0] == size && n.regular([]core.Param{{Type: p.Type.Row(1)}}):
		default:
			return false
		}
	}
	return true
}

// hasIrregular reports whether one of the statements of a body inside n is irregular.
func (f *flattener) hasIrregular(n *nest, b *core.Body) bool {
	n = n.binding()
	for _, s := range b.Stms {
		if f.irregular(n, s) {
			return true
		}
		n.bind(s)
	}
	return false
}

// composite reports whether a SOAC does more than map, reduce or scan, or holds parallelism beside its operator.
func composite(e *core.Screma) bool {
	ns, nr := core.Width(e.Scans), core.Width(e.Reds)
	return ns+nr > 0 && (ns > 0 && nr > 0 || len(e.Map.Ret) > ns+nr || worthSplitting(e)) || e.Post != nil
}

// inParts returns the statements that an irregular one consists of: maps, reductions and scans, each for itself. ok is false if it is one
// of these, or updates accumulators.
func (f *flattener) inParts(n *nest, s *core.Stm) (parts []*core.Stm, ok bool) {
	if e, fold := s.Exp.(*core.Screma); f.rowsOfRows(n, s) && (!fold || !composite(e)) {
		return f.flatParts(n, s), true
	}
	b := f.Nested()
	b.Where, b.Attrs, b.Certs = s.Aux.Where, s.Aux.Attrs, s.Aux.Certs
	row := s.Dst[0].Type
	switch e := core.Match(s.Exp).(type) {
	case *core.Screma:
		if !composite(e) {
			return nil, false
		}
		for i, x := range f.splitUp(b, e) {
			b.Bind(s.Dst[i:i+1], &core.Use{X: x})
		}
	case *core.Copy:
		id := b.Identity([]core.Type{row.Row(1)})
		b.Bind(s.Dst, &core.Screma{Size: row.Shape[0], Arrays: []core.Var{e.Array}, Map: id})
	case *core.Concat:
		is := f.iota(b, row.Shape[0])
		l := b.Lambda("i", []core.Type{core.I64}, []core.Type{row.Row(1)}, func(b *core.Builder, ps []core.Operand) []core.Operand {
			return []core.Operand{f.joinedRow(b, e.Arrays, ps[0])}
		})
		b.Bind(s.Dst, &core.Screma{Size: row.Shape[0], Arrays: []core.Var{is}, Map: l})
	case *core.Update:
		b.Bind(s.Dst, f.accOfUpdate(b, e))
	case *core.Iota, *core.Replicate:
		elements := b.LetVar("elements", s.Exp)
		f.noteStm(b.Stms()[len(b.Stms())-1])
		id := b.Identity([]core.Type{row.Row(1)})
		b.Bind(s.Dst, &core.Screma{Size: row.Shape[0], Arrays: []core.Var{elements}, Map: id})
	default:
		return nil, false
	}
	return b.Stms(), true
}

// joinedRow is element i of joined arrays.
func (f *flattener) joinedRow(b *core.Builder, arrays []core.Var, i core.Operand) core.Operand {
	t := f.TypeOf(core.V(arrays[0]))
	if len(arrays) == 1 {
		return f.elements(b, arrays, i)[0]
	}
	return b.If("x", b.Cmp(prim.Lt, i, t.Shape[0]), []core.Type{t.Row(1)}, func(b *core.Builder) []core.Operand {
		return f.elements(b, arrays[:1], i)
	}, func(b *core.Builder) []core.Operand {
		return []core.Operand{f.joinedRow(b, arrays[1:], b.Sub64(i, t.Shape[0]))}
	})[0]
}

// madeWhole reports whether a statement makes a row by a rule, which code behind it uses as a whole: each thread over the elements of rows
// would make all of it.
func (f *flattener) madeWhole(n *nest, s *core.Stm, behind []*core.Stm, res []core.Operand) bool {
	switch core.Match(s.Exp).(type) {
	case *core.Iota, *core.Replicate:
		t, rest := s.Dst[0].Type, &core.Body{Stms: behind, Res: res}
		return !f.inGroup && n.depth() > 0 && t.Rank() == 1 && n.variant(t.Shape[0]) && usedWhole(rest, s.Dst[0].Var) &&
			f.hasIrregular(n.binding(s), rest)
	default:
	}
	return false
}

// usedWhole reports whether code uses an array other than element by element, in SOACs, joined arrays and rows to update.
func usedWhole(b *core.Body, v core.Var) bool {
	whole := slices.ContainsFunc(b.Res, func(r core.Operand) bool { return r.IsVar(v) })
	for _, s := range b.Stms {
		inside := false
		core.MapBodies(s.Exp, func(b *core.Body) *core.Body {
			inside = true
			whole = whole || usedWhole(b, v)
			return b
		})
		switch e := core.Match(s.Exp).(type) {
		case core.SOAC, *core.Concat, *core.If, *core.Switch:
		case *core.Loop:
			whole = whole || slices.ContainsFunc(e.Init, func(x core.Operand) bool { return x.IsVar(v) })
		default:
			whole = whole || !inside && core.FreeInStm(s).Has(v)
		}
	}
	return whole
}

// irregularStm makes kernels of the first of the statements that end a body inside n. Those before it that are in no kernel yet are
// pending. It returns the nest in which its results are known; done says that the rest has been flattened as well.
func (f *flattener) irregularStm(
	n *nest, pending, rest []*core.Stm, res []core.Operand, outs []core.Param,
) (m *nest, done, ok bool) {
	s := rest[0]
	if acc, ok := s.Exp.(*core.WithAcc); ok {
		var scratch []*core.Stm
		pending, scratch = withoutScratch(pending, acc)
		rest = append(scratch, rest...)
	}
	m = n
	var r *rows
	later := core.FreeInBody(&core.Body{Stms: rest, Res: res})
	for _, size := range sizesOf(n, s) {
		if m, r, ok = f.flushRows(m, pending, later, size); !ok {
			return n, false, false
		}
		pending = nil
	}
	if r == nil {
		if m, ok = f.flush(m, pending, later); !ok {
			return n, false, false
		}
	}
	if r != nil && !m.measured && !f.only(attrNoOuter) && !f.only(attrInner) {
		m.measured = true
		if f.shortRows(m, r, rest, res, outs) {
			return m, true, true
		}
	}
	ok = true
	if r != nil {
		r.counted = r.counted || slices.ContainsFunc(rest, func(s *core.Stm) bool { return countsRows(m, r, s) })
	}
	f.at(s, func() {
		f.Certs = nil
		switch e := core.Match(s.Exp).(type) {
		case *core.WithAcc:
			m = f.updateRows(m, e, s.Dst, rest)
		case *core.Hist:
			m, ok = f.histRows(m, e, s.Dst)
		case *core.Screma:
			m, ok = f.foldRows(m, r, e, s.Dst)
		case *core.If, *core.Loop:
			m, ok = f.controlOfPoints(m, s)
		default:
		}
	})
	return m, false, ok
}

// countsRows reports whether the host has to know how many elements some rows have for kernels of a statement inside n, which others than
// reductions are over.
func countsRows(n *nest, r *rows, s *core.Stm) bool {
	if e, ok := s.Exp.(*core.Screma); ok && len(e.Reds) > 0 && !composite(e) {
		return false
	}
	return slices.Contains(sizesOf(n, s), r.size) ||
		slices.ContainsFunc(s.Dst, func(p core.Param) bool { return p.Type.IsArray() && p.Type.Shape[0] == r.size })
}

// sizesOf are the sizes of the rows that a statement inside n goes over, changes or passes on, which differ between points.
func sizesOf(n *nest, s *core.Stm) []core.Operand {
	switch e := core.Match(s.Exp).(type) {
	case *core.If:
		return n.fixedSizes(s.Dst)
	case *core.Loop:
		return n.fixedSizes(e.Params)
	case *core.WithAcc:
		var sizes []core.Operand
		for _, in := range e.Inputs {
			if !slices.Contains(sizes, in.Shape[0]) {
				sizes = append(sizes, in.Shape[0])
			}
		}
		return sizes
	case *core.Hist:
		var sizes []core.Operand
		for _, size := range append([]core.Operand{e.Size}, outerSizes(e)...) {
			if n.variant(size) && !slices.Contains(sizes, size) {
				sizes = append(sizes, size)
			}
		}
		return sizes
	case *core.Screma:
		return []core.Operand{e.Size}
	default:
	}
	return nil
}

// foldRows makes a map, reduction or scan of rows one of all elements. ok is false if its operators cannot be those of all points.
func (f *flattener) foldRows(n *nest, r *rows, e *core.Screma, dst []core.Param) (m *nest, ok bool) {
	switch {
	case !n.sameOperators(e):
		return f.foldRowsOfPoints(n, r, e, dst)
	case len(e.Reds) > 0:
		return f.reduceRows(n, r, e, dst), true
	case len(e.Scans) > 0:
		return f.scanRows(n, r, e, dst), true
	}
	return f.mapRows(n, r, e, dst), true
}

// shortRows makes two versions of the end of a body inside n: one in which each point goes through its rows by itself, and the one that
// goes over all of them. It reports whether there can be the former.
func (f *flattener) shortRows(n *nest, r *rows, rest []*core.Stm, res []core.Operand, outs []core.Param) bool {
	whole, ok := f.unblocked(func() *core.Body {
		return f.version(outs, func(outs []core.Param) { f.finish(n.binding(rest...), rest, res, outs) })
	})
	if !ok {
		return false
	}
	cond := f.tooLarge(n, r, rest)
	control := f.hasControlOfPoints(n, rest)
	if !control && alike(r, rest) {
		least := f.Let("limit", &core.Tune{Name: f.rowLimit(), Class: core.ClassRow})
		cond = f.Bin(prim.LogOr, cond, f.Cmp(prim.Lt, r.longest, least))
	}
	r.counted = r.counted || control || !cond.IsConst() // which is read with the longest row
	flat := f.version(outs, func(outs []core.Param) { f.distribute(n, &core.Body{Stms: rest, Res: res}, outs) })
	if control {
		cond = f.Bin(prim.LogOr, cond, f.cheaper(whole, flat, r.longest))
	}
	f.guard(outs, cond, whole, flat)
	return true
}

// rowLimit is the name of the next threshold of the function for the length of rows.
func (f *flattener) rowLimit() string {
	f.rowLimits++
	return fmt.Sprintf("%s.suff_inner_par_%d", f.Fun.Name, f.rowLimits-1)
}

// tooLarge is the condition that the device cannot hold an array of all elements of rows that one of the statements makes.
func (f *flattener) tooLarge(n *nest, r *rows, rest []*core.Stm) core.Operand {
	n = n.binding(rest...)
	bytes := core.Int(0)
	for _, s := range rest {
		for _, p := range s.Dst {
			if p.Type.IsArray() && p.Type.Shape[0] == r.size && n.regular([]core.Param{{Type: p.Type.Row(1)}}) {
				bytes = f.Bin(prim.Max, bytes, f.Mul64(f.Product(p.Type.Shape[1:]...), core.Int(int64(p.Type.Elem.Size()))))
			}
		}
	}
	if bytes.IsConst() && bytes.Const.IsZero() {
		return core.Bool(false)
	}
	return f.Cmp(prim.Lt, f.Let("limit", &core.Fact{Name: "buffer_bytes"}), f.Mul64(r.total, bytes))
}

// alike reports whether statements are parallel over rows r, and parts of them, alone, so that a thread goes through them in as many steps
// as they are long.
func alike(r *rows, stms []*core.Stm) bool {
	short := map[core.Operand]bool{r.size: true}
	ok := true
	inside := false
	var visit func(s *core.Stm)
	visit = func(s *core.Stm) {
		outer := inside
		switch e := core.Match(s.Exp).(type) {
		case *core.Index:
			if t := s.Dst[0].Type; t.IsArray() && !e.Slice[0].Fix && short[e.Slice[0].Len] {
				short[t.Shape[0]] = true
			}
		case *core.Screma, *core.Hist:
			size, _ := core.SizeOf(s.Exp)
			ok = ok && !inside && short[size]
			inside = true
		case *core.Loop:
			ok = ok && !inside
		default:
		}
		core.MapBodies(s.Exp, func(b *core.Body) *core.Body {
			for _, t := range b.Stms {
				visit(t)
			}
			return b
		})
		inside = outer
	}
	for _, s := range stms {
		visit(s)
	}
	return ok
}
