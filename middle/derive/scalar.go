package derive

import (
	"math"

	"skald/middle/core"
	"skald/runtime/prim"
)

// scalar gives the tangent of y, the result of a scalar operator, unless it is zero.
func (c *coder) scalar(e core.Exp, y core.Operand) (core.Operand, bool) {
	switch e := e.(type) { //nolint:gochecksumtype // the scalar expressions alone
	case *core.Un:
		return c.sum(calculus{c.b, e.Type}, []core.Operand{e.X}, func(k calculus, _ int) (core.Operand, bool) {
			return k.unary(e.Op, e.X)
		})
	case *core.Bin:
		return c.sum(calculus{c.b, e.Type}, []core.Operand{e.X, e.Y}, func(k calculus, i int) (core.Operand, bool) {
			return k.binary(e.Op, e.X, e.Y, y, i)
		})
	case *core.Conv:
		dx, ok := c.known(e.X)
		if !ok || !c.active(core.Scalar(e.To)) {
			return core.Operand{}, false
		}
		return c.b.Conv(dx, e.To), true
	case *core.CallFunc:
		if e.Func == prim.ToBits || e.Func == prim.FromBits {
			return c.bits(e)
		}
		return c.sum(calculus{c.b, e.Type}, e.Args, func(k calculus, i int) (core.Operand, bool) {
			if len(e.Args) == 1 {
				return k.function(e.Func, e.Args[0], y)
			}
			return k.functionOfMany(e.Func, e.Args, y, i)
		})
	default:
		return core.Operand{}, false
	}
}

// bits gives the tangent of a conversion between a float and its bits: the conversion of the tangent.
func (c *coder) bits(e *core.CallFunc) (core.Operand, bool) {
	dx, ok := c.known(e.Args[0])
	if !ok || !c.integers {
		return core.Operand{}, false
	}
	return c.b.Let("t", &core.CallFunc{Func: e.Func, Type: e.Type, Args: []core.Operand{dx}}), true
}

// sum adds up the tangents of operands, each times the partial derivative by it; partial's ok is false where that is zero.
func (c *coder) sum(k calculus, xs []core.Operand, partial func(k calculus, i int) (core.Operand, bool)) (core.Operand, bool) {
	if !c.active(core.Scalar(k.t)) {
		return core.Operand{}, false
	}
	var total core.Operand
	any := false
	for i, x := range xs {
		dx, ok := c.known(x)
		if !ok {
			continue
		}
		p, ok := partial(k, i)
		switch {
		case !ok:
			continue
		case p == k.num(1):
		case p == k.num(-1):
			dx = k.neg(dx)
		default:
			dx = k.mul(p, dx)
		}
		if any {
			dx = k.add(total, dx)
		}
		total, any = dx, true
	}
	return total, any
}

// calculus makes scalar code at one type.
type calculus struct {
	b *core.Builder
	t prim.Type
}

func (k calculus) num(x float64) core.Operand                   { return core.C(Number(k.t, x)) }
func (k calculus) add(x, y core.Operand) core.Operand           { return Add(k.b, x, y) }
func (k calculus) sub(x, y core.Operand) core.Operand           { return k.b.Bin(prim.Sub, x, y) }
func (k calculus) mul(x, y core.Operand) core.Operand           { return Mul(k.b, x, y) }
func (k calculus) div(x, y core.Operand) core.Operand           { return k.b.Bin(prim.Div, x, y) }
func (k calculus) neg(x core.Operand) core.Operand              { return k.b.Un(prim.Neg, x) }
func (k calculus) square(x core.Operand) core.Operand           { return k.mul(x, x) }
func (k calculus) inv(x core.Operand) core.Operand              { return k.div(k.num(1), x) }
func (k calculus) times(f float64, x core.Operand) core.Operand { return k.mul(k.num(f), x) }

// Number is x as a value of type t; as a truth value, whether it is not zero.
func Number(t prim.Type, x float64) prim.Value {
	switch {
	case t.IsFloat():
		return prim.MakeFloat(t, x)
	case t == prim.Bool:
		return prim.MakeBool(x != 0)
	}
	return prim.MakeInt(t, int64(x))
}

// Add is the sum of two scalar derivatives: of truth values, whether one holds.
func Add(b *core.Builder, x, y core.Operand) core.Operand {
	if b.TypeOf(x).Elem == prim.Bool {
		return b.Bin(prim.LogOr, x, y)
	}
	return b.Bin(prim.Add, x, y)
}

// Mul is the product of two scalar derivatives: of truth values, whether both hold.
func Mul(b *core.Builder, x, y core.Operand) core.Operand {
	if b.TypeOf(x).Elem == prim.Bool {
		return b.Bin(prim.LogAnd, x, y)
	}
	return b.Bin(prim.Mul, x, y)
}

func (k calculus) fun(f prim.Func, args ...core.Operand) core.Operand {
	return k.b.Let("t", &core.CallFunc{Func: f, Type: k.t, Args: args})
}

// choose is x where cond holds, else y.
func (k calculus) choose(cond, x, y core.Operand) core.Operand {
	give := func(o core.Operand) func(*core.Builder) []core.Operand {
		return func(*core.Builder) []core.Operand { return []core.Operand{o} }
	}
	return k.b.If("t", cond, []core.Type{core.Scalar(k.t)}, give(x), give(y))[0]
}

// when is 1 where x and y compare so, else 0.
func (k calculus) when(op prim.CmpOp, x, y core.Operand) core.Operand {
	return k.choose(k.b.Cmp(op, x, y), k.num(1), k.num(0))
}

func (k calculus) unary(op prim.UnOp, x core.Operand) (core.Operand, bool) {
	switch op {
	case prim.Neg:
		return k.num(-1), true
	case prim.Abs:
		return k.b.Un(prim.Sgn, x), true
	case prim.Not:
		return x, k.t == prim.Bool
	default:
		return core.Operand{}, false
	}
}

// binary is the derivative of an operator by its i-th operand, where the result is r.
func (k calculus) binary(op prim.BinOp, x, y, r core.Operand, i int) (core.Operand, bool) {
	first := i == 0
	switch op {
	case prim.Add:
		return k.num(1), true
	case prim.Sub:
		if first {
			return k.num(1), true
		}
		return k.num(-1), true
	case prim.Mul:
		if first {
			return y, true
		}
		return x, true
	case prim.Div, prim.Quot:
		if first {
			return k.inv(y), true
		}
		return k.neg(k.div(x, k.square(y))), true
	case prim.Mod, prim.Rem:
		if first {
			return k.num(1), true
		}
		if !k.t.IsFloat() {
			return core.Operand{}, false
		}
		return k.neg(k.fun(prim.Trunc, k.div(x, y))), true
	case prim.Pow:
		if first {
			return k.powerBase(x, y), true
		}
		if !k.t.IsFloat() {
			return core.Operand{}, false
		}
		log := k.mul(r, k.fun(prim.Log, x))
		return k.choose(k.b.Cmp(prim.Gt, x, k.num(0)), log, k.num(0)), true
	case prim.Min:
		if first {
			return k.when(prim.Le, x, y), true
		}
		return k.when(prim.Gt, x, y), true
	case prim.Max:
		if first {
			return k.when(prim.Ge, x, y), true
		}
		return k.when(prim.Lt, x, y), true
	default:
		return core.Operand{}, false
	}
}

// powerBase is the derivative of x**y by x; where it would be infinite at zero, it is taken to be zero.
func (k calculus) powerBase(x, y core.Operand) core.Operand {
	if !k.t.IsFloat() {
		return k.mul(y, k.b.Bin(prim.Pow, x, k.b.Bin(prim.Max, k.sub(y, k.num(1)), k.num(0))))
	}
	slope := k.mul(y, k.b.Bin(prim.Pow, x, k.sub(y, k.num(1))))
	infinite := k.b.Bin(prim.LogAnd, k.b.Cmp(prim.Eq, x, k.num(0)), k.b.Cmp(prim.Lt, y, k.num(1)))
	return k.choose(infinite, k.num(0), slope)
}

// function is the derivative of a function of one operand, where the result is y.
func (k calculus) function(f prim.Func, x, y core.Operand) (core.Operand, bool) {
	switch f {
	case prim.Sqrt:
		return k.inv(k.times(2, y)), true
	case prim.RSqrt:
		return k.div(k.num(-0.5), k.mul(x, k.fun(prim.Sqrt, x))), true
	case prim.Cbrt:
		return k.inv(k.times(3, k.square(y))), true
	case prim.Recip:
		return k.neg(k.square(y)), true
	case prim.Exp:
		return y, true
	case prim.Exp2:
		return k.times(math.Ln2, y), true
	case prim.Exp10:
		return k.times(math.Ln10, y), true
	case prim.Expm1:
		return k.add(y, k.num(1)), true
	case prim.Log:
		return k.inv(x), true
	case prim.Log2:
		return k.inv(k.times(math.Ln2, x)), true
	case prim.Log10:
		return k.inv(k.times(math.Ln10, x)), true
	case prim.Log1p:
		return k.inv(k.add(x, k.num(1))), true
	case prim.Erf, prim.Erfc:
		scale := 2 / math.Sqrt(math.Pi)
		if f == prim.Erfc {
			scale = -scale
		}
		return k.times(scale, k.fun(prim.Exp, k.neg(k.square(x)))), true
	case prim.Gamma:
		return k.mul(y, k.digamma(x)), true
	case prim.LGamma:
		return k.digamma(x), true
	case prim.Floor, prim.Ceil, prim.Round, prim.Trunc, prim.IsNaN, prim.IsInf,
		prim.Clz, prim.Ctz, prim.Popc:
		return core.Operand{}, false
	default:
		return k.angle(f, x, y), true
	}
}

// angle is function for trigonometric and hyperbolic functions and their inverses.
func (k calculus) angle(f prim.Func, x, y core.Operand) core.Operand {
	one := k.num(1)
	root := func(square core.Operand) core.Operand { return k.inv(k.fun(prim.Sqrt, square)) }
	switch f {
	case prim.Sin:
		return k.fun(prim.Cos, x)
	case prim.Cos:
		return k.neg(k.fun(prim.Sin, x))
	case prim.Tan:
		return k.add(one, k.square(y))
	case prim.SinPi:
		return k.times(math.Pi, k.fun(prim.CosPi, x))
	case prim.CosPi:
		return k.times(-math.Pi, k.fun(prim.SinPi, x))
	case prim.TanPi:
		return k.times(math.Pi, k.add(one, k.square(y)))
	case prim.Asin:
		return root(k.sub(one, k.square(x)))
	case prim.Acos:
		return k.neg(root(k.sub(one, k.square(x))))
	case prim.Atan:
		return k.inv(k.add(one, k.square(x)))
	case prim.AsinPi:
		return k.times(1/math.Pi, root(k.sub(one, k.square(x))))
	case prim.AcosPi:
		return k.times(-1/math.Pi, root(k.sub(one, k.square(x))))
	case prim.AtanPi:
		return k.times(1/math.Pi, k.inv(k.add(one, k.square(x))))
	case prim.Sinh:
		return k.fun(prim.Cosh, x)
	case prim.Cosh:
		return k.fun(prim.Sinh, x)
	case prim.Tanh:
		return k.sub(one, k.square(y))
	case prim.Asinh:
		return root(k.add(k.square(x), one))
	case prim.Acosh:
		return root(k.sub(k.square(x), one))
	case prim.Atanh:
		return k.inv(k.sub(one, k.square(x)))
	default:
		panic(Unsupported("the derivative of " + f.String()))
	}
}

// functionOfMany is the derivative by the i-th operand of a function of several, where the result is y.
func (k calculus) functionOfMany(f prim.Func, args []core.Operand, y core.Operand, i int) (core.Operand, bool) {
	a, b := args[0], args[1]
	switch f {
	case prim.Atan2, prim.Atan2Pi:
		r := k.add(k.square(a), k.square(b))
		if f == prim.Atan2Pi {
			r = k.times(math.Pi, r)
		}
		if i == 0 {
			return k.div(b, r), true
		}
		return k.neg(k.div(a, r)), true
	case prim.Hypot:
		return k.div(args[i], y), true
	case prim.Fma, prim.Mad:
		return [...]core.Operand{b, a, k.num(1)}[i], true
	case prim.Lerp:
		t := k.b.Bin(prim.Max, k.num(0), k.b.Bin(prim.Min, k.num(1), args[2]))
		switch i {
		case 0:
			return k.sub(k.num(1), t), true
		case 1:
			return t, true
		default:
			return k.sub(b, a), true
		}
	case prim.Ldexp:
		return k.fun(prim.Ldexp, k.num(1), b), i == 0
	case prim.CopySign:
		return k.fun(prim.CopySign, k.num(1), k.mul(a, b)), i == 0
	case prim.NextAfter, prim.MulHi, prim.MadHi:
		return core.Operand{}, false
	default:
		panic(Unsupported("the derivative of " + f.String()))
	}
}
