package prim

import "math/bits"

// integer is the set of Go types that represent Futhark's integer types. Converting any of them to uint64 makes its
// canonical word, because Go sign-extends signed types and zero-extends unsigned ones.
type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

// unary, binary, ternary and compare are functions over canonical words.
type (
	unary   = func(x uint64) uint64
	binary  = func(x, y uint64) uint64
	ternary = func(x, y, z uint64) uint64
	compare = func(x, y uint64) bool
)

// intUnary returns the unary operators of one integer type.
func intUnary[T integer]() [NumUnOps]unary {
	return [NumUnOps]unary{
		Neg: func(x uint64) uint64 { return uint64(-T(x)) },
		Not: func(x uint64) uint64 { return uint64(^T(x)) },
		Abs: func(x uint64) uint64 {
			if v := T(x); v < 0 {
				return uint64(-v)
			}
			return x
		},
		Sgn: func(x uint64) uint64 {
			switch v := T(x); {
			case v < 0:
				return ^uint64(0)
			case v == 0:
				return 0
			default:
				return 1
			}
		},
	}
}

// intBinary returns the binary operators of the integer type T of the given width; U is the unsigned type of that width.
// Operators that fail for their operands give 0.
func intBinary[T, U integer](width uint64) [NumBinOps]binary {
	return [NumBinOps]binary{
		Add:  func(x, y uint64) uint64 { return uint64(T(x) + T(y)) },
		Sub:  func(x, y uint64) uint64 { return uint64(T(x) - T(y)) },
		Mul:  func(x, y uint64) uint64 { return uint64(T(x) * T(y)) },
		Div:  func(x, y uint64) uint64 { return uint64(floorDiv(T(x), T(y))) },
		Mod:  func(x, y uint64) uint64 { return uint64(floorMod(T(x), T(y))) },
		Quot: func(x, y uint64) uint64 { return uint64(quot(T(x), T(y))) },
		Rem:  func(x, y uint64) uint64 { return uint64(rem(T(x), T(y))) },
		Pow:  func(x, y uint64) uint64 { return uint64(intPow(T(x), T(y))) },
		Min:  func(x, y uint64) uint64 { return uint64(min(T(x), T(y))) },
		Max:  func(x, y uint64) uint64 { return uint64(max(T(x), T(y))) },
		And:  func(x, y uint64) uint64 { return x & y },
		Or:   func(x, y uint64) uint64 { return x | y },
		Xor:  func(x, y uint64) uint64 { return x ^ y },
		// A negative count is a large unsigned one; Go's shifts by the width or more give 0, or the sign.
		Shl:  func(x, y uint64) uint64 { return uint64(T(x) << y) },
		Shr:  func(x, y uint64) uint64 { return uint64(T(x) >> y) },
		UShr: func(x, y uint64) uint64 { return uint64(T(U(x) >> min(y, width))) },
	}
}

// intCompare returns the comparisons of one integer type.
func intCompare[T integer]() [NumCmpOps]compare {
	return [NumCmpOps]compare{
		Eq: func(x, y uint64) bool { return x == y },
		Ne: func(x, y uint64) bool { return x != y },
		Lt: func(x, y uint64) bool { return T(x) < T(y) },
		Le: func(x, y uint64) bool { return T(x) <= T(y) },
		Gt: func(x, y uint64) bool { return T(x) > T(y) },
		Ge: func(x, y uint64) bool { return T(x) >= T(y) },
	}
}

func quot[T integer](x, y T) T {
	if y == 0 {
		return 0
	}
	return x / y
}

func rem[T integer](x, y T) T {
	if y == 0 {
		return 0
	}
	return x % y
}

// floorDiv rounds towards negative infinity: Go's quotient is one too large when the division is inexact and the
// operands' signs differ.
func floorDiv[T integer](x, y T) T {
	if y == 0 {
		return 0
	}
	q := x / y
	if (x < 0) != (y < 0) && q*y != x {
		q--
	}
	return q
}

// floorMod is x - y*floorDiv(x, y); a nonzero result has the sign of y.
func floorMod[T integer](x, y T) T {
	if y == 0 {
		return 0
	}
	r := x % y
	if r != 0 && (r < 0) != (y < 0) {
		r += y
	}
	return r
}

// intPow multiplies by repeated squaring, modulo 2^width. 0 ** 0 is 1; with a negative exponent it is 0.
func intPow[T integer](x, y T) T {
	if y < 0 {
		return 0
	}
	r := T(1)
	for ; y != 0; y >>= 1 {
		if y&1 == 1 {
			r *= x
		}
		x *= x
	}
	return r
}

// mulHi returns the function for the upper half of the double-width product of two integers of type t.
func mulHi(t Type) binary {
	width := t.Bits()
	switch {
	case width < 64 && t.IsSigned():
		return func(x, y uint64) uint64 { return uint64(int64(x) * int64(y) >> width) }
	case width < 64:
		return func(x, y uint64) uint64 { return x * y >> width }
	case t.IsUnsigned():
		return func(x, y uint64) uint64 {
			hi, _ := bits.Mul64(x, y)
			return hi
		}
	default:
		// Reading a negative x as unsigned adds 2^64 to it, hence y to the upper half; likewise for y.
		return func(x, y uint64) uint64 {
			hi, _ := bits.Mul64(x, y)
			return hi - uint64(int64(x)>>63)&y - uint64(int64(y)>>63)&x
		}
	}
}

// intFuncs1, intFuncs2 and intFuncs3 give the word function of f at an integer type, or nil.
func intFuncs1(f Func, t Type) unary {
	width := t.Bits()
	mask := ^uint64(0) >> (64 - width)
	switch f {
	case Clz:
		return func(x uint64) uint64 { return uint64(bits.LeadingZeros64(x&mask) - 64 + width) }
	case Ctz:
		return func(x uint64) uint64 { return uint64(min(bits.TrailingZeros64(x&mask), width)) }
	case Popc:
		return func(x uint64) uint64 { return uint64(bits.OnesCount64(x & mask)) }
	default:
		return nil
	}
}

func intFuncs2(f Func, t Type) binary {
	if f == MulHi {
		return mulHi(t)
	}
	return nil
}

func intFuncs3(f Func, t Type) ternary {
	if f != MadHi {
		return nil
	}
	hi := mulHi(t)
	return func(x, y, z uint64) uint64 { return Canonical(t, hi(x, y)+z) }
}
