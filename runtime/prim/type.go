package prim

import "fmt"

// Type is one of the primitive types. The zero Type is I8; code that needs "no type" says so separately.
type Type uint8

// The primitive types, in the order in which Futhark's documentation lists them.
const (
	I8 Type = iota
	I16
	I32
	I64
	U8
	U16
	U32
	U64
	F16
	F32
	F64
	Bool

	// NumTypes is the number of primitive types.
	NumTypes = int(Bool) + 1
)

// typeInfo is what the methods of Type look up.
type typeInfo struct {
	name     string
	bits     int
	signed   bool
	unsigned bool
	float    bool
}

var typeTable = [NumTypes]typeInfo{
	I8:   {name: "i8", bits: 8, signed: true},
	I16:  {name: "i16", bits: 16, signed: true},
	I32:  {name: "i32", bits: 32, signed: true},
	I64:  {name: "i64", bits: 64, signed: true},
	U8:   {name: "u8", bits: 8, unsigned: true},
	U16:  {name: "u16", bits: 16, unsigned: true},
	U32:  {name: "u32", bits: 32, unsigned: true},
	U64:  {name: "u64", bits: 64, unsigned: true},
	F16:  {name: "f16", bits: 16, float: true},
	F32:  {name: "f32", bits: 32, float: true},
	F64:  {name: "f64", bits: 64, float: true},
	Bool: {name: "bool", bits: 8},
}

// AllTypes lists the primitive types in declaration order. The result is the caller's own.
func AllTypes() []Type {
	ts := make([]Type, NumTypes)
	for i := range ts {
		ts[i] = Type(i)
	}
	return ts
}

// String returns the type's name in Futhark, such as "i32".
func (t Type) String() string {
	if int(t) < NumTypes {
		return typeTable[t].name
	}
	return fmt.Sprintf("prim.Type(%d)", uint8(t))
}

// Size is the number of bytes that an element occupies in memory and in the binary data format; a bool takes one.
func (t Type) Size() int { return typeTable[t].bits / 8 }

// Bits is the width in bits; a bool counts as stored, with 8.
func (t Type) Bits() int { return typeTable[t].bits }

// IsSigned reports whether t is one of the signed integer types.
func (t Type) IsSigned() bool { return typeTable[t].signed }

// IsUnsigned reports whether t is one of the unsigned integer types.
func (t Type) IsUnsigned() bool { return typeTable[t].unsigned }

// IsInt reports whether t is an integer type of either signedness.
func (t Type) IsInt() bool { return typeTable[t].signed || typeTable[t].unsigned }

// IsFloat reports whether t is a floating-point type.
func (t Type) IsFloat() bool { return typeTable[t].float }

// IsNumeric reports whether t is an integer or floating-point type: everything but Bool.
func (t Type) IsNumeric() bool { return t.IsInt() || t.IsFloat() }

// ToUnsigned returns the unsigned integer type of t's width: U32 for I32, U32 and F32. It is the type of `to_bits`.
func (t Type) ToUnsigned() Type {
	switch typeTable[t].bits {
	case 8:
		return U8
	case 16:
		return U16
	case 32:
		return U32
	default:
		return U64
	}
}

// ParseType finds the type with the given name.
func ParseType(name string) (Type, bool) {
	for t, info := range typeTable {
		if info.name == name {
			return Type(t), true
		}
	}
	return 0, false
}

// typeSet is a set of types, one bit each.
type typeSet uint16

const (
	signedTypes   typeSet = 1<<I8 | 1<<I16 | 1<<I32 | 1<<I64
	unsignedTypes typeSet = 1<<U8 | 1<<U16 | 1<<U32 | 1<<U64
	intTypes              = signedTypes | unsignedTypes
	floatTypes    typeSet = 1<<F16 | 1<<F32 | 1<<F64
	boolTypes     typeSet = 1 << Bool
	numericTypes          = intTypes | floatTypes
	allTypes              = numericTypes | boolTypes
)

func (s typeSet) has(t Type) bool { return s>>t&1 != 0 }
