package core

import (
	"slices"

	"skald/runtime/prim"
)

// TypeKind says which of the five sorts of value a Type describes.
type TypeKind uint8

const (
	// KindScalar is one primitive value.
	KindScalar TypeKind = iota
	// KindArray is a regular array of primitives; Shape has at least one size.
	KindArray
	// KindAcc is an accumulator: the write-only view of arrays inside WithAcc.
	KindAcc
	// KindCert is the result of an assertion; it has no run-time value.
	KindCert
	// KindMem is a block of memory; only the memory stage has it.
	KindMem
)

// Type is the type of a variable. Sizes are operands, so a type depends on
// the variables in scope.
type Type struct {
	Kind  TypeKind
	Elem  prim.Type // scalars, arrays and memory blocks
	Shape []Operand // arrays: outermost size first
	// Acc is, for an accumulator, the parameter of the WithAcc lambda that it
	// descends from: updates of one accumulator give accumulators of one type.
	Acc Var
	// Space is where a memory block lives.
	Space MemSpace
	// Layout places an array in memory; nil before the memory stage.
	Layout *Layout
}

// isConstant reports whether a type is of a kind that mentions no variables.
func isConstant(t *Type) bool { return t.Kind == KindScalar || t.Kind == KindCert }

// ScalarType is the type of primitive values.
func ScalarType(t prim.Type) Type { return Type{Kind: KindScalar, Elem: t} }

// I64 is the type of sizes and indices.
var I64 = ScalarType(prim.I64)

// BoolType is the type of conditions.
var BoolType = ScalarType(prim.Bool)

// CertType is the type of certificates.
var CertType = Type{Kind: KindCert}

// AccType is the type of the accumulators that descend from parameter p.
func AccType(p Var) Type { return Type{Kind: KindAcc, Acc: p} }

// MemType is the type of memory blocks of elem in space.
func MemType(elem prim.Type, space MemSpace) Type {
	return Type{Kind: KindMem, Elem: elem, Space: space}
}

// ArrayOf puts sizes in front of t, which is a scalar or an array; without
// sizes it is t itself. The result has no layout.
func ArrayOf(t Type, sizes ...Operand) Type {
	if len(sizes) == 0 || t.Kind == KindAcc || t.Kind == KindCert {
		return t
	}
	return Type{Kind: KindArray, Elem: t.Elem, Shape: slices.Concat(sizes, t.Shape)}
}

// Row drops the n outermost sizes of t.
func (t Type) Row(n int) Type {
	if n == len(t.Shape) {
		return ScalarType(t.Elem)
	}
	return Type{Kind: KindArray, Elem: t.Elem, Shape: t.Shape[n:]}
}

// Rank is the number of dimensions; a scalar has none.
func (t Type) Rank() int { return len(t.Shape) }

// IsArray reports whether t is an array type.
func (t Type) IsArray() bool { return t.Kind == KindArray }

// IsScalar reports whether t is a primitive type.
func (t Type) IsScalar() bool { return t.Kind == KindScalar }

// WithShape is t with other sizes and no layout.
func (t Type) WithShape(shape []Operand) Type {
	return ArrayOf(ScalarType(t.Elem), shape...)
}

// Equal reports whether two types are the same, sizes and layouts included.
func (t Type) Equal(u Type) bool {
	if t.Kind != u.Kind || t.Elem != u.Elem || t.Acc != u.Acc || t.Space != u.Space ||
		!slices.Equal(t.Shape, u.Shape) || (t.Layout == nil) != (u.Layout == nil) {
		return false
	}
	return t.Layout == nil || t.Layout.Equal(u.Layout)
}

// Same reports whether two types are the same when layouts are left out.
func (t Type) Same(u Type) bool {
	t.Layout, u.Layout = nil, nil
	return t.Equal(u)
}
