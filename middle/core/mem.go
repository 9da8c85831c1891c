package core

import (
	"slices"

	"skald/runtime/prim"
)

// MemSpace says where a block of memory lives.
type MemSpace uint8

const (
	// SpaceDevice is the memory of the device, which every thread sees.
	SpaceDevice MemSpace = iota
	// SpaceGroup is memory that one workgroup shares.
	SpaceGroup
	// SpacePrivate is memory of one point of a kernel; its size is constant where choices are made, after pass expand.
	SpacePrivate
)

// Alloc makes a block of Count elements of Elem with undefined contents.
// Sizes are counted in elements: how many bytes an element takes is not known
// before the device is.
type Alloc struct {
	Elem  prim.Type
	Count Operand
	Space MemSpace
}

// Layout says where an array's elements lie: element (i1, ..., ik) is element
// Offset + i1*Strides[0] + ... + ik*Strides[k-1] of block Mem.
type Layout struct {
	Mem     Var
	Offset  Poly
	Strides []Poly
}

// Equal reports whether two layouts are the same.
func (l *Layout) Equal(m *Layout) bool {
	return l.Mem == m.Mem && l.Offset.Equal(m.Offset) && slices.EqualFunc(l.Strides, m.Strides, Poly.Equal)
}

// RowMajor is the layout of an array of the given shape that fills block mem
// from its start, the last dimension densest.
func RowMajor(mem Var, shape []Operand) *Layout {
	l := &Layout{Mem: mem, Strides: make([]Poly, len(shape))}
	stride := PolyConst(1)
	for i := len(shape) - 1; i >= 0; i-- {
		l.Strides[i] = stride
		stride = stride.Mul(PolyOf(shape[i]))
	}
	return l
}

// IsRowMajor reports whether l places an array of the given shape densely, at
// any offset.
func (l *Layout) IsRowMajor(shape []Operand) bool {
	return slices.EqualFunc(l.Strides, RowMajor(l.Mem, shape).Strides, Poly.Equal)
}

// Sliced is the layout of the part of an array that a slice selects.
func (l *Layout) Sliced(sl Slice) *Layout {
	r := &Layout{Mem: l.Mem, Offset: l.Offset}
	for d, dim := range sl {
		r.Offset = r.Offset.Add(PolyOf(dim.Off).Mul(l.Strides[d]))
		if !dim.Fix {
			r.Strides = append(r.Strides, PolyOf(dim.Stride).Mul(l.Strides[d]))
		}
	}
	return r
}

// Rearranged is the layout of an array whose dimensions are permuted: dimension d of the result is dimension perm[d].
func (l *Layout) Rearranged(perm []int) *Layout {
	r := &Layout{Mem: l.Mem, Offset: l.Offset}
	for _, d := range perm {
		r.Strides = append(r.Strides, l.Strides[d])
	}
	return r
}

// Reshaped is the layout of an array under another shape. ok is false when its elements are not evenly spaced.
func (l *Layout) Reshaped(from, to []Operand) (r *Layout, ok bool) {
	spacing := PolyConst(1)
	if n := len(l.Strides); n > 0 {
		spacing = l.Strides[n-1]
	}
	if !slices.EqualFunc(l.Strides, spaced(l.Mem, from, spacing).Strides, Poly.Equal) {
		return nil, false
	}
	r = spaced(l.Mem, to, spacing)
	r.Offset = l.Offset
	return r, true
}

// spaced is the row-major layout with so much space from one element to the next.
func spaced(mem Var, shape []Operand, spacing Poly) *Layout {
	l := RowMajor(mem, shape)
	for d := range l.Strides {
		l.Strides[d] = l.Strides[d].Mul(spacing)
	}
	return l
}

func (*Alloc) isMemory() {}
func (e *Alloc) parts(m Mapper) Exp {
	if n := m.operand(e.Count); n != e.Count {
		return &Alloc{e.Elem, n, e.Space}
	}
	return e
}

func (*Alloc) binders() []Param                      { return nil }
func (e *Alloc) types(*Scope) ([]Type, bool)         { return oneType(MemType(e.Elem, e.Space)) }
func (*Alloc) reads() []Var                          { return nil }
func (*Alloc) consumes() []Var                       { return nil }
func (*Alloc) aliases([]Param, func(Param, Operand)) {}
func (*Alloc) mayFail() bool                         { return false }
func (*Alloc) pure() bool                            { return false }
func (*Alloc) parallel() bool                        { return false }
func (e *Alloc) allowed(at place) bool {
	switch e.Space {
	case SpaceDevice:
		return at.stage.HasMemory() && !at.kernel && !at.group
	case SpaceGroup:
		return at.stage.HasMemory() && !at.kernel && at.group
	case SpacePrivate:
		return at.stage == StageMemory || at.stage == StageChosen && e.Count.IsConst()
	}
	return false
}

func (e *Alloc) print(p *printer)           { p.writef("alloc %s %s %s", e.Elem, p.op(e.Count), e.Space) }
func (e *Alloc) verify(v *verifier, _ *Stm) { v.want(e.Count, I64, "count") }
