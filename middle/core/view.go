package core

import "strconv"

// Dim is one dimension of a slice: an index when Fix is set, else Len
// elements from Off on, Stride apart. No index is outside the array: that is
// asserted before.
type Dim struct {
	Fix              bool
	Off, Len, Stride Operand // Off is the index when Fix
}

// Fix selects one index of a dimension.
func Fix(i Operand) Dim { return Dim{Fix: true, Off: i} }

// Range selects n elements from off on, stride apart.
func Range(off, n, stride Operand) Dim { return Dim{Off: off, Len: n, Stride: stride} }

// Slice selects a part of an array: a Dim for each of its dimensions.
type Slice []Dim

// Use is the value of its operand; for an array, a second name for it.
type Use struct{ X Operand }

func (*Use) isView() {}
func (e *Use) parts(m Mapper) Exp {
	if x := m.operand(e.X); x != e.X {
		return &Use{x}
	}
	return e
}

func (*Use) binders() []Param                                { return nil }
func (e *Use) types(s *Scope) ([]Type, bool)                 { return oneType(s.OperandType(e.X)) }
func (*Use) reads() []Var                                    { return nil }
func (*Use) consumes() []Var                                 { return nil }
func (e *Use) aliases(dst []Param, may func(Param, Operand)) { may(dst[0], e.X) }
func (*Use) mayFail() bool                                   { return false }
func (*Use) pure() bool                                      { return true }
func (*Use) parallel() bool                                  { return false }
func (*Use) allowed(place) bool                              { return true }
func (e *Use) print(p *printer)                              { p.writef("use %s", p.op(e.X)) }
func (e *Use) verify(v *verifier, _ *Stm)                    { v.operand(e.X) }

// Index reads a part of an array: a scalar when every dimension is fixed,
// else an array that may share the memory of the first.
type Index struct {
	Array Var
	Slice Slice
}

func (*Index) isView() {}

func (e *Index) parts(m Mapper) Exp {
	array, slice := m.use(e.Array), m.slice(e.Slice)
	if array == e.Array && sameSlice(slice, e.Slice) {
		return e
	}
	return &Index{array, slice}
}

func (*Index) binders() []Param                                { return nil }
func (e *Index) types(s *Scope) ([]Type, bool)                 { return oneType(SliceType(s.TypeOf(e.Array), e.Slice)) }
func (e *Index) reads() []Var                                  { return []Var{e.Array} }
func (*Index) consumes() []Var                                 { return nil }
func (e *Index) aliases(dst []Param, may func(Param, Operand)) { may(dst[0], V(e.Array)) }

// mayFail is false: an assertion that the index is in bounds comes first.
func (*Index) mayFail() bool                { return false }
func (*Index) pure() bool                   { return true }
func (*Index) parallel() bool               { return false }
func (*Index) allowed(place) bool           { return true }
func (e *Index) print(p *printer)           { p.writef("index %s [%s]", p.v(e.Array), p.slice(e.Slice)) }
func (e *Index) verify(v *verifier, _ *Stm) { v.slice(v.array(e.Array), e.Slice) }

// Rearrange permutes dimensions: dimension i of the result is dimension
// Perm[i] of Array. The result may share Array's memory.
type Rearrange struct {
	Perm  []int
	Array Var
}

func (*Rearrange) isView() {}
func (e *Rearrange) parts(m Mapper) Exp {
	if a := m.use(e.Array); a != e.Array {
		return &Rearrange{e.Perm, a}
	}
	return e
}

func (*Rearrange) binders() []Param { return nil }

func (e *Rearrange) types(s *Scope) ([]Type, bool) {
	t := s.TypeOf(e.Array)
	shape := make([]Operand, len(e.Perm))
	for i, p := range e.Perm {
		shape[i] = t.Shape[p]
	}
	return oneType(t.WithShape(shape))
}

func (*Rearrange) reads() []Var                                    { return nil }
func (*Rearrange) consumes() []Var                                 { return nil }
func (e *Rearrange) aliases(dst []Param, may func(Param, Operand)) { may(dst[0], V(e.Array)) }
func (*Rearrange) mayFail() bool                                   { return false }
func (*Rearrange) pure() bool                                      { return true }
func (*Rearrange) parallel() bool                                  { return false }
func (*Rearrange) allowed(place) bool                              { return true }

func (e *Rearrange) print(p *printer) {
	p.writef("rearrange (%s) %s", join(e.Perm, strconv.Itoa), p.v(e.Array))
}

func (e *Rearrange) verify(v *verifier, _ *Stm) {
	if t := v.array(e.Array); len(e.Perm) != len(t.Shape) {
		v.fail("permutation of %d dimensions of an array of %d", len(e.Perm), len(t.Shape))
	}
	seen := make([]bool, len(e.Perm))
	for _, d := range e.Perm {
		if d < 0 || d >= len(seen) || seen[d] {
			v.fail("(%s) is no permutation", join(e.Perm, strconv.Itoa))
		}
		seen[d] = true
	}
}

// Reshape is an array in another shape with equally many elements. The result
// may share Array's memory.
type Reshape struct {
	Shape []Operand
	Array Var
}

func (*Reshape) isView() {}
func (e *Reshape) parts(m Mapper) Exp {
	shape, a := m.operands(e.Shape), m.use(e.Array)
	if sameSlice(shape, e.Shape) && a == e.Array {
		return e
	}
	return &Reshape{shape, a}
}

func (*Reshape) binders() []Param { return nil }
func (e *Reshape) types(s *Scope) ([]Type, bool) {
	return oneType(s.TypeOf(e.Array).WithShape(e.Shape))
}
func (*Reshape) reads() []Var                                    { return nil }
func (*Reshape) consumes() []Var                                 { return nil }
func (e *Reshape) aliases(dst []Param, may func(Param, Operand)) { may(dst[0], V(e.Array)) }
func (*Reshape) mayFail() bool                                   { return false }
func (*Reshape) pure() bool                                      { return true }
func (*Reshape) parallel() bool                                  { return false }
func (*Reshape) allowed(place) bool                              { return true }
func (e *Reshape) print(p *printer)                              { p.writef("reshape [%s] %s", p.ops(e.Shape), p.v(e.Array)) }

func (e *Reshape) verify(v *verifier, _ *Stm) {
	v.sizes(e.Shape)
	v.array(e.Array)
}
