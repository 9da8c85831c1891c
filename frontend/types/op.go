package types

import "skald/runtime/prim"

// ScalarOp is a primitive operator at the type of its operands. It is comparable; the fields that Kind does not name are zero.
type ScalarOp struct {
	Kind OpKind
	// Type is the type of the operands (of the first, where they differ).
	Type prim.Type
	Un   prim.UnOp
	Bin  prim.BinOp
	Cmp  prim.CmpOp
	Func prim.Func
	// To is the type that a conversion converts to.
	To prim.Type
}

// OpKind says which sort of operator a ScalarOp is.
type OpKind uint8

// The sorts of scalar operators.
const (
	UnaryOp OpKind = iota
	BinaryOp
	CompareOp
	ConvertOp
	FuncOp // a named function such as sqrt
)
