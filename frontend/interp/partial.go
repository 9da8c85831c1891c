package interp

import (
	"fmt"
	"math"

	"skald/frontend/types"
	"skald/runtime/prim"
)

// isDifferentiable reports whether the result of op depends smoothly on its operands at least somewhere. The bits of an
// integer do not.
func isDifferentiable(op types.ScalarOp) bool {
	switch op.Kind {
	case types.CompareOp:
		return false
	case types.UnaryOp:
		return op.Un != prim.Not || op.Type == prim.Bool
	case types.FuncOp:
		switch op.Func {
		case prim.IsNaN, prim.IsInf, prim.MulHi, prim.MadHi, prim.Clz, prim.Ctz, prim.Popc,
			prim.NextAfter:
			return false
		default:
		}
	default:
	}
	return true
}

// calculus computes with numbers of one type, which may carry derivatives themselves: derivatives of any order follow.
type calculus struct {
	m *machine
	t prim.Type
}

func (c calculus) add(x, y Value) Value { return c.m.binary(prim.Add, c.t, x, y) }
func (c calculus) sub(x, y Value) Value { return c.m.binary(prim.Sub, c.t, x, y) }
func (c calculus) mul(x, y Value) Value { return c.m.binary(prim.Mul, c.t, x, y) }
func (c calculus) div(x, y Value) Value { return c.m.binary(prim.Div, c.t, x, y) }
func (c calculus) pow(x, y Value) Value { return c.m.binary(prim.Pow, c.t, x, y) }

func (c calculus) neg(x Value) Value {
	return c.m.scalar(types.ScalarOp{Kind: types.UnaryOp, Type: c.t, Un: prim.Neg}, x)
}

func (c calculus) fun(f prim.Func, args ...Value) Value {
	return c.m.scalar(types.ScalarOp{Kind: types.FuncOp, Type: c.t, Func: f}, args...)
}

func (c calculus) inv(x Value) Value { return c.div(c.num(1), x) }

func (c calculus) square(x Value) Value { return c.mul(x, x) }

// num is a constant.
func (c calculus) num(x float64) Value {
	if c.t.IsFloat() {
		return Value{word: prim.MakeFloat(c.t, x).Word()}
	}
	return Value{word: prim.MakeInt(c.t, int64(x)).Word()}
}

// when is 1 if x and y compare so, else 0.
func (c calculus) when(op prim.CmpOp, x, y Value) Value {
	if prim.CmpWord(op, c.t)(x.word, y.word) {
		return c.num(1)
	}
	return c.num(0)
}

// partial is the derivative of op by its i-th operand at args, where the result is y.
func (m *machine) partial(op types.ScalarOp, args []Value, y Value, i int) Value {
	c := calculus{m, op.Type}
	switch op.Kind {
	case types.UnaryOp:
		return c.unary(op.Un, args[0])
	case types.BinaryOp:
		return c.binary(op.Bin, args[0], args[1], y, i)
	case types.FuncOp:
		if len(args) == 1 {
			return c.function(op.Func, args[0], y)
		}
		return c.functionOfMany(op.Func, args, y, i)
	default:
		panic(fmt.Sprintf("interp: derivative of operator kind %d", op.Kind))
	}
}

func (c calculus) unary(op prim.UnOp, x Value) Value {
	switch op {
	case prim.Not: // of a truth value
		return x
	case prim.Neg:
		return c.num(-1)
	case prim.Abs:
		return c.m.scalar(types.ScalarOp{Kind: types.UnaryOp, Type: c.t, Un: prim.Sgn}, x)
	default:
		return c.num(0)
	}
}

func (c calculus) binary(op prim.BinOp, x, y, result Value, i int) Value {
	pick := func(dx, dy func() Value) Value {
		if i == 0 {
			return dx()
		}
		return dy()
	}
	constant := func(k float64) func() Value { return func() Value { return c.num(k) } }
	switch op {
	case prim.Add:
		return c.num(1)
	case prim.Sub:
		return pick(constant(1), constant(-1))
	case prim.Mul:
		return pick(func() Value { return y }, func() Value { return x })
	case prim.Div, prim.Quot:
		return pick(func() Value { return c.inv(y) }, func() Value { return c.neg(c.div(x, c.square(y))) })
	case prim.Mod, prim.Rem:
		return pick(constant(1), func() Value {
			if !c.t.IsFloat() {
				return c.num(0)
			}
			q := c.fun(prim.Trunc, c.div(x, y))
			return c.neg(Value{word: q.word})
		})
	case prim.Pow:
		return pick(func() Value { return c.powerBase(x, y) }, func() Value { return c.powerExponent(x, result) })
	case prim.LogAnd:
		return pick(func() Value { return y }, func() Value { return x })
	case prim.LogOr:
		return Value{word: 1}
	case prim.Min:
		return pick(func() Value { return c.when(prim.Le, x, y) }, func() Value { return c.when(prim.Gt, x, y) })
	case prim.Max:
		return pick(func() Value { return c.when(prim.Ge, x, y) }, func() Value { return c.when(prim.Lt, x, y) })
	default:
		return c.num(0)
	}
}

// powerBase is the derivative of x**y by x; where it would be infinite at zero, it is taken to be zero.
func (c calculus) powerBase(x, y Value) Value {
	if prim.FromWord(c.t, x.word).IsZero() && prim.CmpWord(prim.Lt, c.t)(y.word, c.num(1).word) {
		return c.num(0)
	}
	return c.mul(y, c.pow(x, c.sub(y, c.num(1))))
}

// powerExponent is the derivative of x**y by y; where there is none since x is not positive, it is taken to be zero.
func (c calculus) powerExponent(x, result Value) Value {
	if !c.t.IsFloat() || !prim.CmpWord(prim.Gt, c.t)(x.word, 0) {
		return c.num(0)
	}
	return c.mul(result, c.fun(prim.Log, x))
}

// function is the derivative of a function of one operand.
func (c calculus) function(f prim.Func, x, y Value) Value {
	switch f {
	case prim.Sqrt:
		return c.inv(c.mul(c.num(2), y))
	case prim.RSqrt:
		return c.div(c.num(-0.5), c.mul(x, c.fun(prim.Sqrt, x)))
	case prim.Cbrt:
		return c.inv(c.mul(c.num(3), c.square(y)))
	case prim.Recip:
		return c.neg(c.square(y))
	case prim.Exp:
		return y
	case prim.Exp2:
		return c.mul(y, c.num(math.Ln2))
	case prim.Exp10:
		return c.mul(y, c.num(math.Ln10))
	case prim.Expm1:
		return c.add(y, c.num(1))
	case prim.Log:
		return c.inv(x)
	case prim.Log2:
		return c.inv(c.mul(x, c.num(math.Ln2)))
	case prim.Log10:
		return c.inv(c.mul(x, c.num(math.Ln10)))
	case prim.Log1p:
		return c.inv(c.add(x, c.num(1)))
	case prim.Gamma, prim.LGamma:
		return c.gamma(f, x, y)
	case prim.Erf:
		return c.mul(c.num(2/math.Sqrt(math.Pi)), c.fun(prim.Exp, c.neg(c.square(x))))
	case prim.Erfc:
		return c.mul(c.num(-2/math.Sqrt(math.Pi)), c.fun(prim.Exp, c.neg(c.square(x))))
	case prim.Floor, prim.Ceil, prim.Round, prim.Trunc:
		return c.num(0)
	default:
		return c.angle(f, x, y)
	}
}

// angle is function for trigonometric and hyperbolic functions and their inverses.
func (c calculus) angle(f prim.Func, x, y Value) Value {
	one, pi := c.num(1), c.num(math.Pi)
	switch f {
	case prim.Sin:
		return c.fun(prim.Cos, x)
	case prim.Cos:
		return c.neg(c.fun(prim.Sin, x))
	case prim.Tan:
		return c.add(one, c.square(y))
	case prim.SinPi:
		return c.mul(pi, c.fun(prim.CosPi, x))
	case prim.CosPi:
		return c.neg(c.mul(pi, c.fun(prim.SinPi, x)))
	case prim.TanPi:
		return c.mul(pi, c.add(one, c.square(y)))
	case prim.Asin:
		return c.inv(c.fun(prim.Sqrt, c.sub(one, c.square(x))))
	case prim.Acos:
		return c.neg(c.inv(c.fun(prim.Sqrt, c.sub(one, c.square(x)))))
	case prim.Atan:
		return c.inv(c.add(one, c.square(x)))
	case prim.AsinPi:
		return c.inv(c.mul(pi, c.fun(prim.Sqrt, c.sub(one, c.square(x)))))
	case prim.AcosPi:
		return c.neg(c.inv(c.mul(pi, c.fun(prim.Sqrt, c.sub(one, c.square(x))))))
	case prim.AtanPi:
		return c.inv(c.mul(pi, c.add(one, c.square(x))))
	case prim.Sinh:
		return c.fun(prim.Cosh, x)
	case prim.Cosh:
		return c.fun(prim.Sinh, x)
	case prim.Tanh:
		return c.sub(one, c.square(y))
	case prim.Asinh:
		return c.inv(c.fun(prim.Sqrt, c.add(c.square(x), one)))
	case prim.Acosh:
		return c.inv(c.fun(prim.Sqrt, c.sub(c.square(x), one)))
	case prim.Atanh:
		return c.inv(c.sub(one, c.square(x)))
	default:
		panic("interp: derivative of " + f.String())
	}
}

// gamma is the derivative of the gamma function or of its logarithm, by the digamma function. That one's own derivative
// is not taken: it counts as constant.
func (c calculus) gamma(f prim.Func, x, y Value) Value {
	psi := c.num(digamma(prim.FromWord(c.t, x.word).Float()))
	if f == prim.LGamma {
		return psi
	}
	return c.mul(y, psi)
}

// digamma is the logarithmic derivative of the gamma function: recurrence up to where the asymptotic series is exact.
func digamma(x float64) float64 {
	if x <= 0 && x == math.Floor(x) {
		return math.NaN()
	}
	if x < 0 {
		return digamma(1-x) - math.Pi/math.Tan(math.Pi*x)
	}
	sum := 0.0
	for x < 10 {
		sum -= 1 / x
		x++
	}
	r := 1 / (x * x)
	series := r * (1./12 - r*(1./120-r*(1./252-r*(1./240-r*(1./132)))))
	return sum + math.Log(x) - 0.5/x - series
}

// functionOfMany is the derivative by the i-th operand of a function of several.
func (c calculus) functionOfMany(f prim.Func, args []Value, y Value, i int) Value {
	a, b := args[0], args[1]
	switch f {
	case prim.Atan2, prim.Atan2Pi:
		r := c.add(c.square(a), c.square(b))
		if f == prim.Atan2Pi {
			r = c.mul(c.num(math.Pi), r)
		}
		if i == 0 {
			return c.div(b, r)
		}
		return c.neg(c.div(a, r))
	case prim.Hypot:
		return c.div(args[i], y)
	case prim.Fma, prim.Mad:
		return [...]Value{b, a, c.num(1)}[i]
	case prim.Lerp:
		t := c.m.binary(prim.Max, c.t, c.num(0), c.m.binary(prim.Min, c.t, c.num(1), args[2]))
		return [...]func() Value{
			func() Value { return c.sub(c.num(1), t) },
			func() Value { return t },
			func() Value { return c.sub(b, a) },
		}[i]()
	case prim.Ldexp:
		if i == 1 {
			return c.num(0)
		}
		return c.fun(prim.Ldexp, c.num(1), b)
	case prim.CopySign:
		if i == 1 {
			return c.num(0)
		}
		return c.fun(prim.CopySign, c.num(1), c.mul(Value{word: a.word}, Value{word: b.word}))
	default:
		panic("interp: derivative of " + f.String())
	}
}
