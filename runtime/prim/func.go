package prim

import "fmt"

// Func is a named scalar function. It is used at an instance: one of the types that the function accepts, from which
// the types of its parameters and result follow (see Params and Result). FromBits at F32, for one, maps u32 to f32.
type Func uint8

// The functions. Those with suffix Pi take or give angles in multiples of π.
const (
	Sqrt  Func = iota
	RSqrt      // 1 / sqrt x
	Cbrt       // cube root
	Recip      // 1 / x
	Exp
	Exp2
	Exp10
	Expm1
	Log
	Log2
	Log10
	Log1p
	Sin
	Cos
	Tan
	Asin
	Acos
	Atan
	SinPi
	CosPi
	TanPi
	AsinPi
	AcosPi
	AtanPi
	Sinh
	Cosh
	Tanh
	Asinh
	Acosh
	Atanh
	Atan2
	Atan2Pi
	Hypot
	Gamma
	LGamma
	Erf
	Erfc
	Floor
	Ceil
	Round // to the nearest integer, ties to even
	Trunc
	Lerp      // lerp v0 v1 t = v0 + (v1-v0)*t with t clamped to [0, 1]
	Fma       // a*b + c, rounded once
	Mad       // a*b + c, rounded twice
	NextAfter // the next value from x in the direction of y
	Ldexp     // x * 2^n for an i32 n, rounded once
	CopySign
	IsNaN
	IsInf
	ToBits   // float to unsigned integer of its width
	FromBits // the inverse; the instance is the float type
	MulHi    // upper half of the double-width product
	MadHi    // MulHi a b + c
	Clz      // leading zeros, as an i32; the width for 0
	Ctz      // trailing zeros, as an i32; the width for 0
	Popc     // bits set, as an i32

	// NumFuncs is the number of functions.
	NumFuncs = int(Popc) + 1
)

// shape is how a function's parameter and result types follow from its instance.
type shape uint8

const (
	shapeNone   shape = iota
	shapeUn           // t -> t
	shapeBin          // t -> t -> t
	shapeTer          // t -> t -> t -> t
	shapeScale        // t -> i32 -> t
	shapeTest         // t -> bool
	shapeToBits       // t -> unsigned t
	shapeOfBits       // unsigned t -> t
	shapeCount        // t -> i32
)

type funcInfo struct {
	name  string
	types typeSet
	shape shape
}

var funcTable = [NumFuncs]funcInfo{
	Sqrt:      {"sqrt", floatTypes, shapeUn},
	RSqrt:     {"rsqrt", floatTypes, shapeUn},
	Cbrt:      {"cbrt", floatTypes, shapeUn},
	Recip:     {"recip", floatTypes, shapeUn},
	Exp:       {"exp", floatTypes, shapeUn},
	Exp2:      {"exp2", floatTypes, shapeUn},
	Exp10:     {"exp10", floatTypes, shapeUn},
	Expm1:     {"expm1", floatTypes, shapeUn},
	Log:       {"log", floatTypes, shapeUn},
	Log2:      {"log2", floatTypes, shapeUn},
	Log10:     {"log10", floatTypes, shapeUn},
	Log1p:     {"log1p", floatTypes, shapeUn},
	Sin:       {"sin", floatTypes, shapeUn},
	Cos:       {"cos", floatTypes, shapeUn},
	Tan:       {"tan", floatTypes, shapeUn},
	Asin:      {"asin", floatTypes, shapeUn},
	Acos:      {"acos", floatTypes, shapeUn},
	Atan:      {"atan", floatTypes, shapeUn},
	SinPi:     {"sinpi", floatTypes, shapeUn},
	CosPi:     {"cospi", floatTypes, shapeUn},
	TanPi:     {"tanpi", floatTypes, shapeUn},
	AsinPi:    {"asinpi", floatTypes, shapeUn},
	AcosPi:    {"acospi", floatTypes, shapeUn},
	AtanPi:    {"atanpi", floatTypes, shapeUn},
	Sinh:      {"sinh", floatTypes, shapeUn},
	Cosh:      {"cosh", floatTypes, shapeUn},
	Tanh:      {"tanh", floatTypes, shapeUn},
	Asinh:     {"asinh", floatTypes, shapeUn},
	Acosh:     {"acosh", floatTypes, shapeUn},
	Atanh:     {"atanh", floatTypes, shapeUn},
	Atan2:     {"atan2", floatTypes, shapeBin},
	Atan2Pi:   {"atan2pi", floatTypes, shapeBin},
	Hypot:     {"hypot", floatTypes, shapeBin},
	Gamma:     {"gamma", floatTypes, shapeUn},
	LGamma:    {"lgamma", floatTypes, shapeUn},
	Erf:       {"erf", floatTypes, shapeUn},
	Erfc:      {"erfc", floatTypes, shapeUn},
	Floor:     {"floor", floatTypes, shapeUn},
	Ceil:      {"ceil", floatTypes, shapeUn},
	Round:     {"round", floatTypes, shapeUn},
	Trunc:     {"trunc", floatTypes, shapeUn},
	Lerp:      {"lerp", floatTypes, shapeTer},
	Fma:       {"fma", floatTypes, shapeTer},
	Mad:       {"mad", floatTypes, shapeTer},
	NextAfter: {"nextafter", floatTypes, shapeBin},
	Ldexp:     {"ldexp", floatTypes, shapeScale},
	CopySign:  {"copysign", floatTypes, shapeBin},
	IsNaN:     {"isnan", floatTypes, shapeTest},
	IsInf:     {"isinf", floatTypes, shapeTest},
	ToBits:    {"to_bits", floatTypes, shapeToBits},
	FromBits:  {"from_bits", floatTypes, shapeOfBits},
	MulHi:     {"mul_hi", intTypes, shapeBin},
	MadHi:     {"mad_hi", intTypes, shapeTer},
	Clz:       {"clz", intTypes, shapeCount},
	Ctz:       {"ctz", intTypes, shapeCount},
	Popc:      {"popc", intTypes, shapeCount},
}

// String returns the function's name, as in Futhark's prelude and in the textual intermediate languages.
func (f Func) String() string {
	if int(f) < NumFuncs {
		return funcTable[f].name
	}
	return fmt.Sprintf("prim.Func(%d)", uint8(f))
}

// ParseFunc finds a function by its name.
func ParseFunc(name string) (Func, bool) {
	for i := range funcTable {
		if funcTable[i].name == name {
			return Func(i), true
		}
	}
	return 0, false
}

// IsElementary reports whether a function is one of analysis, whose code has many operations and branches.
func (f Func) IsElementary() bool { return f <= Erfc }

// Accepts reports whether the function has an instance at t.
func (f Func) Accepts(t Type) bool { return funcTable[f].types.has(t) }

// Arity is the number of parameters.
func (f Func) Arity() int {
	switch funcTable[f].shape {
	case shapeBin, shapeScale:
		return 2
	case shapeTer:
		return 3
	default:
		return 1
	}
}

// Params returns the types of the parameters at an instance.
func (f Func) Params(instance Type) []Type {
	t := instance
	switch funcTable[f].shape {
	case shapeBin:
		return []Type{t, t}
	case shapeTer:
		return []Type{t, t, t}
	case shapeScale:
		return []Type{t, I32}
	case shapeOfBits:
		return []Type{t.ToUnsigned()}
	default:
		return []Type{t}
	}
}

// Result returns the type of the result at an instance.
func (f Func) Result(instance Type) Type {
	switch funcTable[f].shape {
	case shapeTest:
		return Bool
	case shapeToBits:
		return instance.ToUnsigned()
	case shapeCount:
		return I32
	default:
		return instance
	}
}
