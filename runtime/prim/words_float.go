package prim

import "math"

// floatFormat converts between canonical words and float64 for one float type. Each float type has its own Go type with
// these methods, so that the generic functions below compile to direct code.
type floatFormat interface {
	half | single | double
	load(w uint64) float64
	store(f float64) uint64
}

type (
	half   struct{}
	single struct{}
	double struct{}
)

func (half) load(w uint64) float64    { return HalfToFloat64(uint16(w)) }
func (half) store(f float64) uint64   { return uint64(HalfFromFloat64(f)) }
func (single) load(w uint64) float64  { return float64(math.Float32frombits(uint32(w))) }
func (single) store(f float64) uint64 { return uint64(math.Float32bits(float32(f))) }
func (double) load(w uint64) float64  { return math.Float64frombits(w) }
func (double) store(f float64) uint64 { return math.Float64bits(f) }

// lift1 and lift2 make word functions from functions of float64 whose result is then rounded.
func lift1[F floatFormat](f func(float64) float64) unary {
	var t F
	return func(x uint64) uint64 { return t.store(f(t.load(x))) }
}

func lift2[F floatFormat](f func(x, y float64) float64) binary {
	var t F
	return func(x, y uint64) uint64 { return t.store(f(t.load(x), t.load(y))) }
}

// floatUnary returns the unary operators of one float type, whose sign bit is given. Neg and Abs only touch that bit, so
// they keep NaN payloads.
func floatUnary[F floatFormat](sign uint64) [NumUnOps]unary {
	var t F
	return [NumUnOps]unary{
		Neg: func(x uint64) uint64 { return x ^ sign },
		Abs: func(x uint64) uint64 { return x &^ sign },
		Sgn: func(x uint64) uint64 {
			switch v := t.load(x); {
			case v < 0:
				return t.store(-1)
			case v > 0:
				return t.store(1)
			default:
				return x
			}
		},
	}
}

// floatBinary returns the binary operators of one float type. F32 and F64 replace the four basic ones by native
// operations (nativeSingle, nativeDouble), which are faster and equal.
func floatBinary[F floatFormat]() [NumBinOps]binary {
	var t F
	return [NumBinOps]binary{
		Add: func(x, y uint64) uint64 { return t.store(t.load(x) + t.load(y)) },
		Sub: func(x, y uint64) uint64 { return t.store(t.load(x) - t.load(y)) },
		Mul: func(x, y uint64) uint64 { return t.store(t.load(x) * t.load(y)) },
		Div: func(x, y uint64) uint64 { return t.store(t.load(x) / t.load(y)) },
		Mod: lift2[F](math.Mod),
		Pow: lift2[F](math.Pow),
		Min: func(x, y uint64) uint64 {
			switch a, b := t.load(x), t.load(y); {
			case a < b:
				return x
			case b < a:
				return y
			case a == b:
				return x | y // equal words, or zeros of which a negative one wins
			case math.IsNaN(a):
				return y
			default:
				return x
			}
		},
		Max: func(x, y uint64) uint64 {
			switch a, b := t.load(x), t.load(y); {
			case a > b:
				return x
			case b > a:
				return y
			case a == b:
				return x & y
			case math.IsNaN(a):
				return y
			default:
				return x
			}
		},
	}
}

func nativeSingle(ops *[NumBinOps]binary) {
	load := func(w uint64) float32 { return math.Float32frombits(uint32(w)) }
	store := func(f float32) uint64 { return uint64(math.Float32bits(f)) }
	ops[Add] = func(x, y uint64) uint64 { return store(load(x) + load(y)) }
	ops[Sub] = func(x, y uint64) uint64 { return store(load(x) - load(y)) }
	ops[Mul] = func(x, y uint64) uint64 { return store(load(x) * load(y)) }
	ops[Div] = func(x, y uint64) uint64 { return store(load(x) / load(y)) }
}

func nativeDouble(ops *[NumBinOps]binary) {
	load, store := math.Float64frombits, math.Float64bits
	ops[Add] = func(x, y uint64) uint64 { return store(load(x) + load(y)) }
	ops[Sub] = func(x, y uint64) uint64 { return store(load(x) - load(y)) }
	ops[Mul] = func(x, y uint64) uint64 { return store(load(x) * load(y)) }
	ops[Div] = func(x, y uint64) uint64 { return store(load(x) / load(y)) }
}

// floatCompare returns the comparisons of one float type.
func floatCompare[F floatFormat]() [NumCmpOps]compare {
	var t F
	return [NumCmpOps]compare{
		Eq: func(x, y uint64) bool { return t.load(x) == t.load(y) },
		Ne: func(x, y uint64) bool { return t.load(x) != t.load(y) },
		Lt: func(x, y uint64) bool { return t.load(x) < t.load(y) },
		Le: func(x, y uint64) bool { return t.load(x) <= t.load(y) },
		Gt: func(x, y uint64) bool { return t.load(x) > t.load(y) },
		Ge: func(x, y uint64) bool { return t.load(x) >= t.load(y) },
	}
}
