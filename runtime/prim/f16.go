package prim

import "math"

// Note [Half precision]
//
// An f16 has 1 sign bit, 5 exponent bits (bias 15) and 10 fraction bits. Go has no such type, so arithmetic happens in
// float64 and the result is rounded. For + - * / and sqrt that is the correctly rounded f16 result: a float64 has
// more than twice the precision plus two bits (53 >= 2*11+2), and its exponent range holds every intermediate result,
// so rounding twice equals rounding once. Only fma needs more care (see addOdd).

const (
	halfInf  = 0x7c00
	halfNaN  = 0x7e00
	halfSign = 0x8000
)

// HalfToFloat64 returns the exact value of the f16 with the given bits. The sign and payload of a NaN are kept.
func HalfToFloat64(h uint16) float64 {
	sign := uint64(h&halfSign) << 48
	exp := int(h >> 10 & 0x1f)
	frac := uint64(h & 0x3ff)
	switch exp {
	case 0:
		v := float64(frac) * 0x1p-24
		return math.Float64frombits(math.Float64bits(v) | sign)
	case 0x1f:
		return math.Float64frombits(sign | 0x7ff<<52 | frac<<42)
	default:
		return math.Float64frombits(sign | uint64(exp-15+1023)<<52 | frac<<42)
	}
}

// HalfFromFloat64 rounds to the nearest f16, ties to even, and returns its bits. Values of 65520 and above become
// infinity. A NaN keeps its sign and the upper bits of its payload, and is made quiet. See Note [Half precision].
func HalfFromFloat64(f float64) uint16 {
	b := math.Float64bits(f)
	sign := uint16(b >> 48 & halfSign)
	exp := int(b >> 52 & 0x7ff)
	frac := b & (1<<52 - 1)
	if exp == 0x7ff {
		if frac == 0 {
			return sign | halfInf
		}
		return sign | halfNaN | uint16(frac>>42)
	}
	e := exp - 1023 // unbiased exponent; float64 subnormals are far below the smallest f16
	if e >= 16 {
		return sign | halfInf
	}
	if e < -25 {
		return sign
	}
	sig := frac | 1<<52
	shift := uint(42) // fraction bits to drop for a normal result
	var base uint64   // exponent field, less the implicit bit that sig carries
	if e < -14 {
		shift += uint(-14 - e)
	} else {
		base = uint64(e+14) << 10
	}
	kept := sig >> shift
	rest := sig & (1<<shift - 1)
	half := uint64(1) << (shift - 1)
	if rest > half || rest == half && kept&1 == 1 {
		kept++ // may carry into the exponent, which is what rounding up to the next binade means
	}
	return sign | uint16(base+kept)
}

// HalfToFloat32 returns the exact value of the f16 with the given bits.
func HalfToFloat32(h uint16) float32 { return float32(HalfToFloat64(h)) }

// HalfFromFloat32 rounds to the nearest f16, ties to even.
func HalfFromFloat32(f float32) uint16 { return HalfFromFloat64(float64(f)) }

// halfNextAfter returns the next f16 after x in the direction of y, as C's nextafter does.
func halfNextAfter(x, y uint16) uint16 {
	fx, fy := HalfToFloat64(x), HalfToFloat64(y)
	switch {
	case math.IsNaN(fx) || math.IsNaN(fy):
		return halfNaN
	case fx == fy:
		return y
	case fx == 0:
		return y&halfSign | 1
	case (fx < fy) == (fx > 0):
		return x + 1
	default:
		return x - 1
	}
}
