package flatten

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Rows at several points]
//
// A map of k elements at the points of a nest, where rows of different lengths are known, may go over these rows at each of its own points.
// Then row p of the nest around is there k times, one after the other, and starts at k times where it started, and q times its length for
// point q. So nobody measures the rows again, and the host does not wait: it knows how many elements they have, and the longest.

// rowsAround are rows that are known at the points of a nest of so many dimensions, of which another has more.
type rowsAround struct {
	*rows
	depth int
}

// rowsAround are the rows of a size that are known at the points of a nest around n; nil if there are none.
func (n *nest) rowsAround(size core.Operand) *rowsAround {
	if i := slices.IndexFunc(n.around, func(r rowsAround) bool { return r.size == size }); i >= 0 {
		return &n.around[i]
	}
	return nil
}

// repeated are rows of a nest around n, at the points of n.
func (f *flattener) repeated(n *nest, o *rowsAround) *rows {
	times := f.Product(n.sizes[o.depth:]...)
	points := f.Mul64(o.offsets.rows, times)
	i := f.Param("i", core.I64)
	over := (&nest{}).extend(i.Var, f.Add64(points, core.Int(1)))
	in := f.Nested()
	by := in.Bin(prim.Max, core.Int(1), times)
	row := in.Bin(prim.Quot, core.V(i.Var), by)
	start := in.Index("start", o.starts, row)
	more := in.If("more", in.Cmp(prim.Lt, row, o.offsets.rows), []core.Type{core.I64}, func(b *core.Builder) []core.Operand {
		length := b.Sub64(b.Index("end", o.starts, b.Add64(row, core.Int(1))), start)
		return []core.Operand{b.Mul64(b.Bin(prim.Rem, core.V(i.Var), by), length)}
	}, func(*core.Builder) []core.Operand { return []core.Operand{core.Int(0)} })[0]
	start = in.Add64(in.Mul64(start, times), more)
	out := f.Param("starts", core.ArrayOf(core.I64, over.sizes...))
	f.segMap(over.binding(in.Stms()...), in.Stms(), []core.Operand{start}, []core.Param{out})
	all := offsets{out.Var, points, f.Mul64(o.total, times)}
	return &rows{offsets: all, size: o.size, longest: o.longest, exact: o.exact, counted: o.counted}
}
