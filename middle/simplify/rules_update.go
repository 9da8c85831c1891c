package simplify

import (
	"slices"

	"skald/middle/core"
)

// update writes a single row or element, where a part of one row is written, without a dimension of size 1, and the element itself where an
// array of equal elements is.
func (s *simplifier) update(e *core.Update) *result {
	in, ok := s.def(e.Value).(*core.Replicate)
	one := len(e.Slice) == 1 && !e.Slice[0].Fix && e.Slice[0].Len == core.Int(1)
	if !ok || !one || len(in.Shape) != 1 || in.X.Var != 0 && s.Scope.TypeOf(in.X.Var).IsArray() {
		return nil
	}
	return replace(&core.Update{Array: e.Array, Slice: core.Slice{core.Fix(e.Slice[0].Off)}, Value: in.X})
}

// updated reads an element from the update that has just written it: nobody overwrites an array between that update, which names it,
// and what reads it by this name.
func (*simplifier) updated(e *core.Index, in *core.Update) *result {
	if is, ok := fixed(e.Slice); ok && len(is) > 0 && slices.Equal(e.Slice, in.Slice) {
		return value(in.Value)
	}
	return nil
}
