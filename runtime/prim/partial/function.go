package partial

import (
	"fmt"
	"math"

	"skald/runtime/prim"
)

// IsSmooth reports whether f has a derivative other than zero by one of its operands, or could have one where it does not
// round. The bits of a number do not.
func IsSmooth(f prim.Func) bool {
	switch f {
	case prim.IsNaN, prim.IsInf, prim.MulHi, prim.MadHi, prim.Clz, prim.Ctz, prim.Popc, prim.NextAfter:
		return false
	default:
		return true
	}
}

// Call is the derivative of f at args, where its value is result, by its i-th operand. Conversions between floats and their bits have none:
// a change of the one is the change of the other.
func Call[N any](a Arithmetic[N], f prim.Func, args []N, result N, i int) (N, bool) {
	r := rules[N]{a}
	switch {
	case !IsSmooth(f):
		return none[N]()
	case len(args) == 1:
		return r.function(f, args[0], result)
	default:
		return r.functionOfMany(f, args, result, i)
	}
}

// function is the derivative of a function of one operand, where its value is y.
func (r rules[N]) function(f prim.Func, x, y N) (N, bool) {
	switch f {
	case prim.Floor, prim.Ceil, prim.Round, prim.Trunc:
		return none[N]()
	case prim.Sqrt:
		return r.inv(r.times(2, y)), true
	case prim.RSqrt:
		return r.div(r.Const(-0.5), r.mul(x, r.Call(prim.Sqrt, x))), true
	case prim.Cbrt:
		return r.inv(r.times(3, r.square(y))), true
	case prim.Recip:
		return r.neg(r.square(y)), true
	case prim.Exp:
		return y, true
	case prim.Exp2:
		return r.times(math.Ln2, y), true
	case prim.Exp10:
		return r.times(math.Ln10, y), true
	case prim.Expm1:
		return r.add(y, r.Const(1)), true
	case prim.Log:
		return r.inv(x), true
	case prim.Log2:
		return r.inv(r.times(math.Ln2, x)), true
	case prim.Log10:
		return r.inv(r.times(math.Ln10, x)), true
	case prim.Log1p:
		return r.inv(r.add(x, r.Const(1))), true
	case prim.Gamma:
		return r.mul(y, r.digamma(x)), true
	case prim.LGamma:
		return r.digamma(x), true
	case prim.Erf:
		return r.times(2/math.Sqrt(math.Pi), r.Call(prim.Exp, r.neg(r.square(x)))), true
	case prim.Erfc:
		return r.times(-2/math.Sqrt(math.Pi), r.Call(prim.Exp, r.neg(r.square(x)))), true
	default:
		return r.angle(f, x, y), true
	}
}

// angle is function for trigonometric and hyperbolic functions and their inverses.
func (r rules[N]) angle(f prim.Func, x, y N) N {
	one := r.Const(1)
	root := func(square N) N { return r.inv(r.Call(prim.Sqrt, square)) }
	switch f {
	case prim.Sin:
		return r.Call(prim.Cos, x)
	case prim.Cos:
		return r.neg(r.Call(prim.Sin, x))
	case prim.Tan:
		return r.add(one, r.square(y))
	case prim.SinPi:
		return r.times(math.Pi, r.Call(prim.CosPi, x))
	case prim.CosPi:
		return r.times(-math.Pi, r.Call(prim.SinPi, x))
	case prim.TanPi:
		return r.times(math.Pi, r.add(one, r.square(y)))
	case prim.Asin:
		return root(r.sub(one, r.square(x)))
	case prim.Acos:
		return r.neg(root(r.sub(one, r.square(x))))
	case prim.Atan:
		return r.inv(r.add(one, r.square(x)))
	case prim.AsinPi:
		return r.times(1/math.Pi, root(r.sub(one, r.square(x))))
	case prim.AcosPi:
		return r.times(-1/math.Pi, root(r.sub(one, r.square(x))))
	case prim.AtanPi:
		return r.times(1/math.Pi, r.inv(r.add(one, r.square(x))))
	case prim.Sinh:
		return r.Call(prim.Cosh, x)
	case prim.Cosh:
		return r.Call(prim.Sinh, x)
	case prim.Tanh:
		return r.sub(one, r.square(y))
	case prim.Asinh:
		return root(r.add(r.square(x), one))
	case prim.Acosh:
		return root(r.sub(r.square(x), one))
	case prim.Atanh:
		return r.inv(r.sub(one, r.square(x)))
	default:
		panic(fmt.Sprintf("partial: derivative of %v", f))
	}
}

// functionOfMany is the derivative by the i-th operand of a function of several, where its value is y.
func (r rules[N]) functionOfMany(f prim.Func, args []N, y N, i int) (N, bool) {
	a, b := args[0], args[1]
	switch f {
	case prim.Atan2, prim.Atan2Pi:
		square := r.add(r.square(a), r.square(b))
		if f == prim.Atan2Pi {
			square = r.times(math.Pi, square)
		}
		return either(i, func() N { return r.div(b, square) }, func() N { return r.neg(r.div(a, square)) })
	case prim.Hypot:
		return r.div(args[i], y), true
	case prim.Fma, prim.Mad:
		return [...]N{b, a, r.Const(1)}[i], true
	case prim.Lerp:
		t := r.Binary(prim.Max, r.Const(0), r.Binary(prim.Min, r.Const(1), args[2]))
		switch i {
		case 0:
			return r.sub(r.Const(1), t), true
		case 1:
			return t, true
		default:
			return r.sub(b, a), true
		}
	case prim.Ldexp, prim.CopySign:
		if i == 1 {
			return none[N]()
		}
		if f == prim.CopySign {
			b = r.mul(a, b)
		}
		return r.Call(f, r.Const(1), b), true
	default:
		panic(fmt.Sprintf("partial: derivative of %v", f))
	}
}
