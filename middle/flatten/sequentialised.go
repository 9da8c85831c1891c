package flatten

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Sequentialised versions]
//
// What flows from one kernel of a nest to the next becomes an array over the
// nest: where each of 10^7 points scans 256 numbers and sums what comes out,
// there are 2.56·10^9 numbers between the scans and the sums. So a body for which
// that can happen has two versions: the kernels that distribution makes, and one
// kernel in which each point runs the whole body by itself and the points that
// run one after the other take turns in the same memory (core.Space.Slot). The
// second is taken where these arrays would be larger than the device has room
// for (the fact "array_bytes"), if there are points enough to fill it
// ("threads"): it has less parallelism, and its threads read rows, not columns.

// sequentialised adds both versions of a body inside n, if it has two.
func (f *flattener) sequentialised(n *nest, b *core.Body, outs []core.Param) bool {
	arrays := f.between(n, b)
	if len(arrays) == 0 || slices.ContainsFunc(outs, func(p core.Param) bool { return p.Type.Kind == core.KindAcc }) {
		return false
	}
	outer := f.blocked
	f.blocked = ""
	whole := f.version(outs, func(outs []core.Param) { f.segMap(n.binding(b.Stms...), b.Stms, b.Res, outs) })
	failed := f.blocked != ""
	f.blocked = outer
	if failed {
		return false
	}
	points := f.Product(n.sizes...)
	full := f.Cmp(cmpLe, f.Let("fill", &core.Fact{Name: "threads"}), points)
	bytes := core.Int(0)
	for _, p := range arrays {
		bytes = f.Add64(bytes, f.Mul64(f.Product(p.Type.Shape...), core.Int(int64(p.Type.Elem.Size()))))
	}
	limit := f.Let("limit", &core.Fact{Name: "array_bytes"})
	large := f.Cmp(prim.Lt, limit, f.Mul64(points, bytes))
	cond := f.Bin(prim.LogAnd, full, large)
	flat := f.version(outs, func(outs []core.Param) { f.distribute(n, b, outs) })
	f.Bind(outs, &core.If{Cond: cond, Then: whole, Else: flat})
	return true
}

// between lists the arrays of a body inside n that distribution would make arrays over n of, for later kernels to read.
func (f *flattener) between(n *nest, b *core.Body) []core.Param {
	if n.depth() == 0 {
		return nil
	}
	var arrays, pending []core.Param
	n = n.binding()
	for i, s := range b.Stms {
		if n.regular(s.Dst) && f.exploitable(n, s) {
			later := core.FreeInBody(&core.Body{Stms: b.Stms[i:], Res: b.Res})
			for _, p := range pending {
				if later.Has(p.Var) {
					arrays = append(arrays, p)
				}
			}
			pending = nil
			if i < len(b.Stms)-1 {
				arrays = append(arrays, s.Dst...)
			}
		} else if !f.cheap(s) && n.regular(s.Dst) {
			pending = append(pending, s.Dst...)
		}
		n.bind(s)
	}
	return slices.DeleteFunc(arrays, func(p core.Param) bool {
		return !p.Type.IsArray() || slices.ContainsFunc(b.Res, func(r core.Operand) bool { return r.IsVar(p.Var) })
	})
}
