package core

import "skald/runtime/prim"

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

// ArrayLit is an array of the given rows, each of type Row, at least one.
type ArrayLit struct {
	Row   Type
	Elems []Operand
}

// Index reads a part of an array: a scalar when every dimension is fixed,
// else an array that may share the memory of the first.
type Index struct {
	Array Var
	Slice Slice
}

// Update overwrites a part of an array in place. It consumes Array; the
// result is the array after the change.
type Update struct {
	Array Var
	Slice Slice
	Value Operand
}

// Concat joins arrays along their outer dimension, whose size is then Size.
type Concat struct {
	Size   Operand
	Arrays []Var
}

// Iota is Start, Start+Step, ... : N numbers of Type.
type Iota struct {
	Type           prim.Type
	N, Start, Step Operand
}

// Replicate makes an array of Shape with X, a scalar or an array, everywhere.
type Replicate struct {
	Shape []Operand
	X     Operand
}

// Scratch is an array of undefined contents.
type Scratch struct {
	Elem  prim.Type
	Shape []Operand
}

// Rearrange permutes dimensions: dimension i of the result is dimension
// Perm[i] of Array. The result may share Array's memory.
type Rearrange struct {
	Perm  []int
	Array Var
}

// Reshape gives an array another shape with equally many elements. The result
// may share Array's memory.
type Reshape struct {
	Shape []Operand
	Array Var
}

// Copy is a copy of an array that nothing else refers to.
type Copy struct{ Array Var }

func (*ArrayLit) isExp()  {}
func (*Index) isExp()     {}
func (*Update) isExp()    {}
func (*Concat) isExp()    {}
func (*Iota) isExp()      {}
func (*Replicate) isExp() {}
func (*Scratch) isExp()   {}
func (*Rearrange) isExp() {}
func (*Reshape) isExp()   {}
func (*Copy) isExp()      {}
