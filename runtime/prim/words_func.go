package prim

import "math"

// floatFuncs1 returns the word function of a one-parameter function at the float type F, or nil.
func floatFuncs1[F floatFormat](f Func) unary {
	if g := realFunc(f); g != nil {
		return lift1[F](g)
	}
	var fm F
	switch f {
	case IsNaN:
		return func(x uint64) uint64 { return boolWord(math.IsNaN(fm.load(x))) }
	case IsInf:
		return func(x uint64) uint64 { return boolWord(math.IsInf(fm.load(x), 0)) }
	case ToBits, FromBits:
		// The canonical words of a float and of the unsigned integer with its bits are the same.
		return func(x uint64) uint64 { return x }
	default:
		return nil
	}
}

// floatFuncs2 returns the word function of a two-parameter function at the float type F, or nil.
func floatFuncs2[F floatFormat](f Func, t Type) binary {
	sign := uint64(1) << (t.Bits() - 1)
	switch f {
	case Atan2:
		return lift2[F](math.Atan2)
	case Atan2Pi:
		return lift2[F](func(y, x float64) float64 { return math.Atan2(y, x) / math.Pi })
	case Hypot:
		return lift2[F](math.Hypot)
	case CopySign:
		return func(x, y uint64) uint64 { return x&^sign | y&sign }
	case NextAfter:
		return nextAfter(t)
	case Ldexp:
		var fm F
		// Beyond 2^±4096 every result is 0 or infinite; math.Ldexp rounds a subnormal f64 once, and for the narrower
		// types its result is exact unless it is below all of their subnormals.
		return func(x, n uint64) uint64 {
			return fm.store(math.Ldexp(fm.load(x), int(max(-4096, min(int32(n), 4096)))))
		}
	default:
		return nil
	}
}

// floatFuncs3 returns the word function of a three-parameter function at the float type F, or nil.
func floatFuncs3[F floatFormat](f Func) ternary {
	var fm F
	// The explicit conversion keeps the Go compiler from fusing x into a multiply-add.
	round := func(x float64) float64 { return float64(fm.load(fm.store(x))) }
	switch f {
	case Fma:
		return floatFma[F]()
	case Mad:
		return func(a, b, c uint64) uint64 {
			return fm.store(round(fm.load(a)*fm.load(b)) + fm.load(c))
		}
	case Lerp:
		return func(a, b, c uint64) uint64 {
			v0, v1 := fm.load(a), fm.load(b)
			u := fm.load(c)
			if math.IsNaN(u) {
				u = 1 // min 1 nan, as Min has it
			}
			step := round(round(v1-v0) * max(0, min(1, u)))
			return fm.store(v0 + step)
		}
	default:
		return nil
	}
}

func nextAfter(t Type) binary {
	switch t {
	case F16:
		return func(x, y uint64) uint64 { return uint64(halfNextAfter(uint16(x), uint16(y))) }
	case F32:
		return func(x, y uint64) uint64 {
			a, b := math.Float32frombits(uint32(x)), math.Float32frombits(uint32(y))
			if a == b {
				return y // C returns y, whose sign may differ when both are zero
			}
			return uint64(math.Float32bits(math.Nextafter32(a, b)))
		}
	default:
		return func(x, y uint64) uint64 {
			a, b := math.Float64frombits(x), math.Float64frombits(y)
			if a == b {
				return y
			}
			return math.Float64bits(math.Nextafter(a, b))
		}
	}
}

// floatFma returns a*b + c rounded once. The product of two f16 or f32 numbers is exact in float64; the sum is rounded
// to odd, so that the final rounding sees whether anything was lost.
func floatFma[F floatFormat]() ternary {
	var fm F
	if _, isDouble := any(fm).(double); isDouble {
		return func(a, b, c uint64) uint64 { return fm.store(math.FMA(fm.load(a), fm.load(b), fm.load(c))) }
	}
	return func(a, b, c uint64) uint64 { return fm.store(addOdd(fm.load(a)*fm.load(b), fm.load(c))) }
}

// FmaF32 is a*b + c rounded once.
func FmaF32(a, b, c float32) float32 { return float32(addOdd(float64(a)*float64(b), float64(c))) }

// addOdd adds two numbers, rounding to odd: an inexact sum becomes that one of its two neighbours whose last bit is
// set. Rounding the result again, to a format of at most 51 bits, then rounds the exact sum.
func addOdd(x, y float64) float64 {
	s := x + y
	if math.IsInf(s, 0) || math.IsNaN(s) {
		return s
	}
	yy := s - x
	lost := (x - (s - yy)) + (y - yy) // exact, by Knuth's two-sum
	bits := math.Float64bits(s)
	if lost == 0 || bits&1 == 1 {
		return s
	}
	if (lost > 0) == (s > 0) {
		return math.Float64frombits(bits + 1)
	}
	return math.Float64frombits(bits - 1)
}

// realFunc returns the float64 function that computes f, for functions of one real variable; otherwise nil.
func realFunc(f Func) func(float64) float64 {
	switch f {
	case Sqrt:
		return math.Sqrt
	case RSqrt:
		return func(x float64) float64 { return 1 / math.Sqrt(x) }
	case Cbrt:
		return math.Cbrt
	case Recip:
		return func(x float64) float64 { return 1 / x }
	case Exp:
		return math.Exp
	case Exp2:
		return math.Exp2
	case Exp10:
		return func(x float64) float64 { return math.Pow(10, x) }
	case Expm1:
		return math.Expm1
	case Log:
		return math.Log
	case Log2:
		return math.Log2
	case Log10:
		return log10
	case Log1p:
		return math.Log1p
	case Gamma:
		return math.Gamma
	case LGamma:
		return lgamma
	case Erf:
		return math.Erf
	case Erfc:
		return math.Erfc
	case Floor:
		return math.Floor
	case Ceil:
		return math.Ceil
	case Round:
		return math.RoundToEven
	case Trunc:
		return math.Trunc
	default:
		return angleFunc(f)
	}
}

// angleFunc is realFunc for the trigonometric and hyperbolic functions.
func angleFunc(f Func) func(float64) float64 {
	switch f {
	case Sin:
		return math.Sin
	case Cos:
		return math.Cos
	case Tan:
		return math.Tan
	case Asin:
		return math.Asin
	case Acos:
		return math.Acos
	case Atan:
		return math.Atan
	case SinPi:
		return sinPi
	case CosPi:
		return cosPi
	case TanPi:
		return func(x float64) float64 { return sinPi(x) / cosPi(x) }
	case AsinPi:
		return func(x float64) float64 { return math.Asin(x) / math.Pi }
	case AcosPi:
		return func(x float64) float64 { return math.Acos(x) / math.Pi }
	case AtanPi:
		return func(x float64) float64 { return math.Atan(x) / math.Pi }
	case Sinh:
		return math.Sinh
	case Cosh:
		return math.Cosh
	case Tanh:
		return math.Tanh
	case Asinh:
		return math.Asinh
	case Acosh:
		return math.Acosh
	case Atanh:
		return math.Atanh
	default:
		return nil
	}
}

// log10 is exact at powers of ten, which a quotient of logarithms is not.
func log10(x float64) float64 {
	l := math.Log10(x)
	if r := math.Round(l); math.Abs(l-r) < 1e-12 && math.Pow10(int(r)) == x {
		return r
	}
	return l
}

// sinPi reduces its argument exactly before it multiplies by π, so whole and half multiples are exact.
func sinPi(x float64) float64 {
	r := math.Mod(x, 2) // in (-2, 2), NaN for infinities
	switch a := math.Abs(r); {
	case a > 1.5:
		return math.Sin(math.Pi * (r - math.Copysign(2, r)))
	case a > 0.5:
		return math.Sin(math.Pi * (math.Copysign(1, r) - r))
	default:
		return math.Sin(math.Pi * r)
	}
}

// cosPi is like sinPi; zeros are positive.
func cosPi(x float64) float64 {
	r := math.Abs(math.Mod(x, 2)) // in [0, 2)
	if r > 1.25 {
		r = 2 - r // cos πx is even around 2
	}
	switch {
	case r >= 0.75:
		return -math.Cos(math.Pi * (r - 1))
	case r > 0.25:
		return math.Sin(math.Pi * (0.5 - r))
	default:
		return math.Cos(math.Pi * r)
	}
}

// lgamma is ln|Γ(x)|. Go's is -∞ at -∞; as in C it is +∞.
func lgamma(x float64) float64 {
	if math.IsInf(x, -1) {
		return math.Inf(1)
	}
	v, _ := math.Lgamma(x)
	return v
}
