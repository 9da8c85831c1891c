package flatten

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Longest rows]
//
// Where a point goes through its row by itself, it may need arrays as long as the row. The host must make room for the longest, and knows
// it where rows are measured, since that decides whether points do so. Without being told it has another kernel compute the same again, and
// waits for it (Note [Largest sizes] in package expand). So the length of a row is written as the minimum of what it is and of the longest,
// with an attribute that says that this is the largest:
//
//	let (size_5: i64) = conv.i32.i64 x_4         let (whole_7: i64) = conv.i32.i64 x_4
//	let (out_6: [size_5]i64) = scratch …         let (size_5: i64) = min.i64 whole_7 longest_2 #[largest]
//	                                             let (out_6: [size_5]i64) = scratch …

// withLongest says how long the longest row is in code of a kernel over n that makes arrays as long as rows.
func (f *flattener) withLongest(n *nest, body *core.Body) *core.Body {
	for _, r := range slices.Concat(n.rows, outerRows(n)) {
		at, i := bindsSize(body, r.size.Var)
		if !r.exact || at < 0 || !makesArrays(body, r.size) {
			continue
		}
		s := *body.Stms[at]
		whole := f.Param("whole", core.I64)
		s.Dst = slices.Clone(s.Dst)
		s.Dst[i] = whole
		in := f.Nested()
		in.Attrs = []core.Attr{core.Largest}
		in.Bind([]core.Param{{Var: r.size.Var, Type: core.I64}}, &core.Bin{Op: prim.Min, Type: prim.I64, X: core.V(whole.Var), Y: r.longest})
		body = &core.Body{Stms: slices.Concat(body.Stms[:at], []*core.Stm{&s}, in.Stms(), body.Stms[at+1:]), Res: body.Res}
	}
	return body
}

// outerRows are the rows that are known at the points of the nests around n.
func outerRows(n *nest) []*rows {
	out := make([]*rows, len(n.around))
	for i, r := range n.around {
		out[i] = r.rows
	}
	return out
}

// bindsSize finds the statement of a body that computes a size, and which of its results that is; at is -1 if none does, or one that makes
// arrays of that size as well.
func bindsSize(b *core.Body, size core.Var) (at, result int) {
	for at, s := range b.Stms {
		result := slices.IndexFunc(s.Dst, func(p core.Param) bool { return p.Var == size })
		if result < 0 {
			continue
		}
		if slices.ContainsFunc(s.Dst, func(p core.Param) bool { return p.Type.IsArray() }) {
			return -1, 0
		}
		return at, result
	}
	return -1, 0
}

// makesArrays reports whether code makes arrays of which a dimension has a size.
func makesArrays(b *core.Body, size core.Operand) bool {
	makes := false
	core.Walk(b, func(s *core.Stm) bool {
		switch core.Match(s.Exp).(type) {
		case core.View, *core.Update:
		default:
			makes = makes || slices.ContainsFunc(s.Dst, func(p core.Param) bool { return slices.Contains(p.Type.Shape, size) })
		}
		return !makes
	})
	return makes
}
