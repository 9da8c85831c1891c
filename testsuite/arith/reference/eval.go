package reference

import (
	"fmt"
	"math/big"

	"skald/runtime/prim"
)

// work is the precision of the computations; results are good to 200 bits and more.
var work = arith{320}

// taylor holds the first three coefficients of functions whose value at 0 is 0, by which tiny arguments are treated:
// other formulas would cancel.
var taylor = map[prim.Func][3][2]int64{
	prim.Expm1: {{1, 1}, {1, 2}, {1, 6}},
	prim.Log1p: {{1, 1}, {-1, 2}, {1, 3}},
	prim.Tan:   {{1, 1}, {0, 1}, {1, 3}},
	prim.Sin:   {{1, 1}, {0, 1}, {-1, 6}},
	prim.Asin:  {{1, 1}, {0, 1}, {1, 6}},
	prim.Atan:  {{1, 1}, {0, 1}, {-1, 3}},
	prim.Sinh:  {{1, 1}, {0, 1}, {1, 6}},
	prim.Tanh:  {{1, 1}, {0, 1}, {-1, 3}},
	prim.Asinh: {{1, 1}, {0, 1}, {-1, 6}},
	prim.Atanh: {{1, 1}, {0, 1}, {1, 3}},
}

// tiny is the exponent below which Taylor's three terms give 200 bits.
const tiny = -70

// Eval returns f at finite arguments inside its domain.
func Eval(f prim.Func, args ...float64) *big.Float {
	a := work
	x := a.float(args[0])
	if c, ok := taylor[f]; ok && magnitude(x) < tiny {
		return a.polynomial(c, x)
	}
	switch f {
	case prim.Hypot:
		y := a.float(args[1])
		// The squares of a tiny and a huge number need not fit one precision; the sum is still right to a.prec bits.
		return a.sqrt(a.add(a.mul(x, x), a.mul(y, y)))
	case prim.Atan2:
		return a.atan2(x, a.float(args[1]))
	case prim.Atan2Pi:
		return a.div(a.atan2(x, a.float(args[1])), a.pi())
	default:
		return a.eval1(f, x)
	}
}

// Pow returns |x|^y for finite arguments, x not zero.
func Pow(x, y float64) *big.Float {
	a := arith{work.prec + 64}
	return a.exp(a.mul(a.float(y), a.log(a.abs(a.float(x)))))
}

func (a arith) polynomial(c [3][2]int64, x *big.Float) *big.Float {
	sum := a.zero()
	for i := len(c) - 1; i >= 0; i-- {
		sum = a.mul(a.add(sum, a.div(a.int(c[i][0]), a.int(c[i][1]))), x)
	}
	return sum
}

func (a arith) eval1(f prim.Func, x *big.Float) *big.Float {
	one := a.int(1)
	switch f {
	case prim.RSqrt:
		return a.div(one, a.sqrt(x))
	case prim.Exp:
		return a.exp(x)
	case prim.Exp2:
		return a.exp(a.mul(x, a.ln2()))
	case prim.Exp10:
		return a.exp(a.mul(x, a.log(a.int(10))))
	case prim.Expm1:
		return a.sub(a.exp(x), one)
	case prim.Cbrt:
		if x.Sign() < 0 {
			return a.neg(a.eval1(f, a.neg(x)))
		}
		return a.exp(a.div(a.log(x), a.int(3)))
	case prim.Log:
		return a.log(x)
	case prim.Log2:
		return a.div(a.log(x), a.ln2())
	case prim.Log10:
		return a.div(a.log(x), a.log(a.int(10)))
	case prim.Log1p:
		return a.log(arith{1200}.add(x, one))
	case prim.Gamma, prim.LGamma:
		return a.gamma(f, x)
	case prim.Erf:
		if magnitude(x) > 3 {
			w := arith{1500}
			return w.sub(w.int(int64(x.Sign())), w.mul(w.int(int64(x.Sign())), w.erfc(w.abs(x))))
		}
		return a.erf(x)
	case prim.Erfc:
		return a.erfc(x)
	default:
		return a.angle(f, x)
	}
}

func (a arith) gamma(f prim.Func, x *big.Float) *big.Float {
	if x.Sign() > 0 {
		if f == prim.LGamma {
			return a.lgammaPositive(x)
		}
		return a.exp(a.lgammaPositive(x))
	}
	y := a.neg(x)
	sin, _ := a.sinCosPi(y)
	reflected := a.div(a.pi(), a.mul(y, sin))
	if f == prim.LGamma {
		return a.sub(a.log(a.abs(reflected)), a.lgammaPositive(y))
	}
	return a.neg(a.div(reflected, a.exp(a.lgammaPositive(y))))
}

// angle is eval1 for the trigonometric and hyperbolic functions.
func (a arith) angle(f prim.Func, x *big.Float) *big.Float {
	one := a.int(1)
	switch f {
	case prim.Sin, prim.Cos, prim.Tan:
		sin, cos := a.sinCos(x)
		return pick(a, f == prim.Sin, f == prim.Cos, sin, cos)
	case prim.SinPi, prim.CosPi, prim.TanPi:
		sin, cos := a.sinCosPi(x)
		return pick(a, f == prim.SinPi, f == prim.CosPi, sin, cos)
	case prim.Atan:
		return a.atan(x)
	case prim.Asin:
		return a.atan2(x, a.sqrt(a.mul(a.sub(one, x), a.add(one, x))))
	case prim.Acos:
		return a.atan2(a.sqrt(a.mul(a.sub(one, x), a.add(one, x))), x)
	case prim.AtanPi:
		return a.div(a.atan(x), a.pi())
	case prim.AsinPi:
		return a.div(a.angle(prim.Asin, x), a.pi())
	case prim.AcosPi:
		return a.div(a.angle(prim.Acos, x), a.pi())
	case prim.Asinh:
		if x.Sign() < 0 {
			return a.neg(a.angle(f, a.neg(x)))
		}
		return a.log(a.add(x, a.sqrt(a.add(one, a.mul(x, x)))))
	case prim.Acosh:
		return a.log(a.add(x, a.sqrt(a.sub(a.mul(x, x), one))))
	case prim.Atanh:
		return a.scale(a.log(a.div(a.add(one, x), a.sub(one, x))), -1)
	default:
		return a.hyperbolic(f, x)
	}
}

func pick(a arith, sine, cosine bool, sin, cos *big.Float) *big.Float {
	switch {
	case sine:
		return sin
	case cosine:
		return cos
	default:
		return a.div(sin, cos)
	}
}

func (a arith) hyperbolic(f prim.Func, x *big.Float) *big.Float {
	if magnitude(x) > 14 && f == prim.Tanh {
		return a.int(int64(x.Sign()))
	}
	p, n := a.exp(x), a.exp(a.neg(x))
	switch f {
	case prim.Sinh:
		return a.scale(a.sub(p, n), -1)
	case prim.Cosh:
		return a.scale(a.add(p, n), -1)
	case prim.Tanh:
		return a.div(a.sub(p, n), a.add(p, n))
	default:
		panic(fmt.Sprintf("reference: %s is no inexact function", f))
	}
}
