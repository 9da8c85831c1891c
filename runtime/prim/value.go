package prim

import (
	"math"
)

// Value is a scalar: a type and a canonical word (see the package comment). Values are comparable with ==, which
// compares bits: -0.0 and 0.0 differ, and a NaN equals the NaN with the same payload. The zero Value is 0i8.
type Value struct {
	typ  Type
	word uint64
}

// FromWord pairs a word with its type. The word is made canonical, so its excess upper bits do not matter.
func FromWord(t Type, w uint64) Value { return Value{t, Canonical(t, w)} }

// Canonical returns the canonical word with the low bits of w.
func Canonical(t Type, w uint64) uint64 {
	switch t {
	case I8:
		return uint64(int8(w))
	case I16:
		return uint64(int16(w))
	case I32:
		return uint64(int32(w))
	case U8:
		return uint64(uint8(w))
	case U16, F16:
		return uint64(uint16(w))
	case U32, F32:
		return uint64(uint32(w))
	case Bool:
		return w & 1
	default:
		return w
	}
}

// MakeI8 makes an i8 value. The functions below do the same for the other types.
func MakeI8(x int8) Value { return Value{I8, uint64(x)} }

// MakeI16 makes an i16 value.
func MakeI16(x int16) Value { return Value{I16, uint64(x)} }

// MakeI32 makes an i32 value.
func MakeI32(x int32) Value { return Value{I32, uint64(x)} }

// MakeI64 makes an i64 value.
func MakeI64(x int64) Value { return Value{I64, uint64(x)} }

// MakeU8 makes a u8 value.
func MakeU8(x uint8) Value { return Value{U8, uint64(x)} }

// MakeU16 makes a u16 value.
func MakeU16(x uint16) Value { return Value{U16, uint64(x)} }

// MakeU32 makes a u32 value.
func MakeU32(x uint32) Value { return Value{U32, uint64(x)} }

// MakeU64 makes a u64 value.
func MakeU64(x uint64) Value { return Value{U64, x} }

// MakeF16 rounds x to an f16 value.
func MakeF16(x float64) Value { return Value{F16, uint64(HalfFromFloat64(x))} }

// MakeF32 makes an f32 value.
func MakeF32(x float32) Value { return Value{F32, uint64(math.Float32bits(x))} }

// MakeF64 makes an f64 value.
func MakeF64(x float64) Value { return Value{F64, math.Float64bits(x)} }

// MakeBool makes a bool value.
func MakeBool(b bool) Value { return Value{Bool, boolWord(b)} }

// MakeInt makes a value of the integer type t from the low bits of x. It panics if t is not an integer type.
func MakeInt(t Type, x int64) Value {
	if !t.IsInt() {
		panic("prim.MakeInt: " + t.String() + " is not an integer type")
	}
	return FromWord(t, uint64(x))
}

// MakeFloat rounds x to a value of the float type t. It panics if t is not a float type.
func MakeFloat(t Type, x float64) Value {
	if !t.IsFloat() {
		panic("prim.MakeFloat: " + t.String() + " is not a float type")
	}
	return Value{t, floatWord(t, x)}
}

// Type returns the value's type.
func (v Value) Type() Type { return v.typ }

// Word returns the canonical word.
func (v Value) Word() uint64 { return v.word }

// Int returns an integer or bool value as an int64; a u64 above the largest int64 wraps around.
func (v Value) Int() int64 { return int64(v.word) }

// Uint returns the canonical word of an unsigned integer as a number; for other types it is the same as Word.
func (v Value) Uint() uint64 { return v.word }

// Bool returns the truth of a bool value.
func (v Value) Bool() bool { return v.word != 0 }

// Float returns the exact value of a float; for integers and bools, the nearest float64.
func (v Value) Float() float64 {
	switch {
	case v.typ.IsFloat():
		return wordFloat(v.typ, v.word)
	case v.typ.IsSigned():
		return float64(int64(v.word))
	default:
		return float64(v.word)
	}
}

// IsZero reports whether v is 0, 0.0, -0.0 or false.
func (v Value) IsZero() bool { return v.word == 0 || v.typ.IsFloat() && v.Float() == 0 }

// IsOne reports whether v is 1, 1.0 or true.
func (v Value) IsOne() bool { return v == One(v.typ) }

// IsNegative reports whether v is a number below zero; -0.0, NaN and bools are not.
func (v Value) IsNegative() bool {
	switch {
	case v.typ.IsSigned():
		return int64(v.word) < 0
	case v.typ.IsFloat():
		return v.Float() < 0
	default:
		return false
	}
}

// IsNaN reports whether v is a float that is not a number.
func (v Value) IsNaN() bool { return v.typ.IsFloat() && math.IsNaN(v.Float()) }

// Zero returns 0, 0.0 or false.
func Zero(t Type) Value { return Value{t, 0} }

// One returns 1, 1.0 or true.
func One(t Type) Value {
	if t.IsFloat() {
		return MakeFloat(t, 1)
	}
	return Value{t, 1}
}

// Lowest returns the least value of a type: minus infinity for floats, false for bool.
func Lowest(t Type) Value {
	switch {
	case t.IsFloat():
		return MakeFloat(t, math.Inf(-1))
	case t.IsSigned():
		return FromWord(t, 1<<(t.Bits()-1))
	default:
		return Value{t, 0}
	}
}

// Highest returns the greatest value of a type: infinity for floats, true for bool.
func Highest(t Type) Value {
	switch {
	case t.IsFloat():
		return MakeFloat(t, math.Inf(1))
	case t.IsSigned():
		return FromWord(t, 1<<(t.Bits()-1)-1)
	default:
		return FromWord(t, math.MaxUint64)
	}
}

func boolWord(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// wordFloat reads a canonical word of a float type.
func wordFloat(t Type, w uint64) float64 {
	switch t {
	case F16:
		return HalfToFloat64(uint16(w))
	case F32:
		return float64(math.Float32frombits(uint32(w)))
	case F64:
		return math.Float64frombits(w)
	default:
		panic("prim: " + t.String() + " is not a float type")
	}
}

// floatWord rounds x to the float type t and returns the canonical word.
func floatWord(t Type, x float64) uint64 {
	switch t {
	case F16:
		return uint64(HalfFromFloat64(x))
	case F32:
		return uint64(math.Float32bits(float32(x)))
	case F64:
		return math.Float64bits(x)
	default:
		panic("prim: " + t.String() + " is not a float type")
	}
}
