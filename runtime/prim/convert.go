package prim

import "math"

// Convert converts a value to another type:
//   - integer to integer: the low bits; a source narrower than the target is extended according to its own sign;
//   - float to integer: NaN and infinities give 0, others are truncated towards zero and reduced modulo 2^width;
//   - integer to float and float to float: the nearest value, ties to even;
//   - to bool: whether the value differs from zero (so NaN becomes true); from bool: 0 or 1.
func Convert(to Type, v Value) Value { return Value{to, ConvertWord(v.typ, to)(v.word)} }

// ConvertWord returns the conversion between two types as a function over canonical words.
func ConvertWord(from, to Type) func(x uint64) uint64 {
	switch {
	case from == to:
		return func(x uint64) uint64 { return x }
	case to == Bool && from.IsFloat():
		return func(x uint64) uint64 { return boolWord(wordFloat(from, x) != 0) }
	case to == Bool:
		return func(x uint64) uint64 { return boolWord(x != 0) }
	case from.IsFloat() && to.IsFloat():
		return floatToFloat(from, to)
	case from.IsFloat():
		return func(x uint64) uint64 { return Canonical(to, floatToInt(wordFloat(from, x))) }
	case to.IsFloat():
		return intToFloat(from, to)
	default:
		return intToInt(to)
	}
}

func intToInt(to Type) unary {
	switch to {
	case I8:
		return func(x uint64) uint64 { return uint64(int8(x)) }
	case I16:
		return func(x uint64) uint64 { return uint64(int16(x)) }
	case I32:
		return func(x uint64) uint64 { return uint64(int32(x)) }
	case U8:
		return func(x uint64) uint64 { return uint64(uint8(x)) }
	case U16:
		return func(x uint64) uint64 { return uint64(uint16(x)) }
	case U32:
		return func(x uint64) uint64 { return uint64(uint32(x)) }
	default:
		return func(x uint64) uint64 { return x }
	}
}

func floatToFloat(from, to Type) unary {
	switch {
	case from == F32 && to == F64:
		return func(x uint64) uint64 { return math.Float64bits(float64(math.Float32frombits(uint32(x)))) }
	case from == F64 && to == F32:
		return func(x uint64) uint64 { return uint64(math.Float32bits(float32(math.Float64frombits(x)))) }
	default:
		return func(x uint64) uint64 { return floatWord(to, wordFloat(from, x)) }
	}
}

// intToFloat converts in one rounding. Through float64 that also holds for f16: an integer too large to be exact in
// float64 is far above the largest f16.
func intToFloat(from, to Type) unary {
	signed := from.IsSigned()
	switch {
	case to == F32 && signed:
		return func(x uint64) uint64 { return uint64(math.Float32bits(float32(int64(x)))) }
	case to == F32:
		return func(x uint64) uint64 { return uint64(math.Float32bits(float32(x))) }
	case signed:
		return func(x uint64) uint64 { return floatWord(to, float64(int64(x))) }
	default:
		return func(x uint64) uint64 { return floatWord(to, float64(x)) }
	}
}

// floatToInt truncates and returns the low 64 bits of the exact integer, in two's complement; of NaN and infinities it is 0.
func floatToInt(f float64) uint64 {
	if f > -0x1p63 && f < 0x1p63 {
		return uint64(int64(f))
	}
	bits := math.Float64bits(f)
	exp := int(bits>>52&0x7ff) - 1075 // the weight of the fraction's last bit; at least 11 here
	if exp >= 64 {
		return 0 // a multiple of 2^64, an infinity or a NaN
	}
	m := (bits&(1<<52-1) | 1<<52) << exp
	if f < 0 {
		return -m
	}
	return m
}
