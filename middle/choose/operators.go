package choose

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// operators are the operators of a reduction or scan, taken as one that combines all their values together.
type operators struct {
	ops         []core.Operator
	types       []prim.Type
	commutative bool
}

func operatorsOf(ops []core.Operator) operators {
	out := operators{ops: ops, commutative: true}
	for _, op := range ops {
		out.commutative = out.commutative && op.Commutes()
		for _, t := range op.Lambda.Ret {
			out.types = append(out.types, t.Elem)
		}
	}
	return out
}

// straight reports whether the operators are operations on scalars and branches of such.
func (o operators) straight() bool {
	return !slices.ContainsFunc(o.ops, func(op core.Operator) bool { return !straight(op.Lambda.Body) })
}

// Note [Updates of shared elements]
//
// An operator on one scalar updates an element in one step: by an atomic
// operation of the device where the operator is one, else by a compare-and-swap
// loop where the element fits an atomic word. An operator of which each result
// depends on its own operands alone, as in sums beside sums of their tangents,
// updates the elements of an accumulator's arrays in as many steps (Apart).
// Other operators (on several values, or on 64 bits where the device swaps 32)
// would need a lock, which WGSL cannot express. Histograms then bring the values
// of a bin together before one thread updates it (Note [Forms of chains]), or
// give threads copies of their own; other updates run in one thread, unless each
// point updates elements of its own (OwnElements): such updates load and store,
// whatever the operator.

// Where an atomic operation updates elements: in workgroup memory or in global memory.
const (
	InShared = true
	InGlobal = false
)

// Hardware finds the operator of a lambda that is one of the device's atomic operations.
func (d *Device) Hardware(f *core.Lambda) (prim.BinOp, bool) {
	op, t, ok := f.Single()
	return op, ok && d.AtomicOp(op, t)
}

// Loops reports whether threads update elements of device memory by an operator in compare-and-swap loops. Additions of floats are such
// where memory is made of words.
func (d *Device) Loops(f *core.Lambda) bool {
	_, ok := d.Hardware(f)
	return !ok || d.Words && f.Ret[0].Elem.IsFloat()
}

// Atomic reports whether an operator, nil for a plain store, can update elements in place.
func (d *Device) Atomic(f *core.Lambda, shared bool) bool {
	if f == nil {
		return true
	}
	if len(f.Ret) != 1 || !f.Ret[0].IsScalar() {
		return false
	}
	if _, ok := d.Hardware(f); ok && !(f.Ret[0].Elem == prim.F64 && shared) {
		return true
	}
	if shared {
		return f.Ret[0].Elem.Bits() <= 32
	}
	return d.Updates(f.Ret[0].Elem)
}

// Apart returns the operators on one scalar each that an operator on scalars is, if each of its results depends on its own operands alone;
// else nil.
func Apart(f *core.Lambda) []*core.Lambda {
	n := len(f.Ret)
	if !core.OnlyScalars(f.Ret) {
		return nil
	}
	if n == 1 {
		return []*core.Lambda{f}
	}
	parts := make([]*core.Lambda, n)
	for k := range parts {
		res := f.Body.Res[k : k+1]
		need := core.FreeInBody(&core.Body{Res: res})
		var stms []*core.Stm
		for _, s := range slices.Backward(f.Body.Stms) {
			if slices.ContainsFunc(s.Dst, func(p core.Param) bool { return need.Has(p.Var) }) {
				need.AddFree(s)
				stms = append(stms, s)
			}
		}
		slices.Reverse(stms)
		for i, p := range f.Params {
			if i%n != k && need.Has(p.Var) {
				return nil
			}
		}
		parts[k] = &core.Lambda{
			Params: []core.Param{f.Params[k], f.Params[n+k]}, Ret: f.Ret[k : k+1], Body: &core.Body{Stms: stms, Res: res},
		}
	}
	return parts
}

// OwnElements reports whether the points of a map of the grid update different elements of an accumulator: those whose index is their own.
func OwnElements(e *core.SegMap, acc core.Var) bool {
	if e.Level != core.LevelGrid {
		return false
	}
	own := true
	var index []core.Operand // of the first update
	core.Walk(e.Body, func(s *core.Stm) bool {
		up, ok := s.Exp.(*core.UpdateAcc)
		if !ok || s.Dst[0].Type.Acc != acc {
			return true
		}
		if index == nil {
			index = up.Index
		}
		for _, id := range e.Space.Ids {
			d := slices.IndexFunc(index, func(at core.Operand) bool { return at.IsVar(id) })
			own = own && d >= 0 && up.Index[d].IsVar(id)
		}
		return own
	})
	return own
}
