package partial

import (
	"fmt"

	"skald/runtime/prim"
)

// Arithmetic computes with numbers of one type.
type Arithmetic[N any] interface {
	// Type is the type of all operands and results, but for the exponent of Ldexp.
	Type() prim.Type
	// Const is a constant, truncated for an integer.
	Const(x float64) N
	Unary(op prim.UnOp, x N) N
	Binary(op prim.BinOp, x, y N) N
	Call(f prim.Func, args ...N) N
	// Choose is then where x and y compare so, else otherwise.
	Choose(op prim.CmpOp, x, y, then, otherwise N) N
}

// rules are the derivatives, in the arithmetic that they are computed with.
type rules[N any] struct{ Arithmetic[N] }

func (r rules[N]) add(x, y N) N                 { return r.Binary(prim.Add, x, y) }
func (r rules[N]) sub(x, y N) N                 { return r.Binary(prim.Sub, x, y) }
func (r rules[N]) mul(x, y N) N                 { return r.Binary(prim.Mul, x, y) }
func (r rules[N]) div(x, y N) N                 { return r.Binary(prim.Div, x, y) }
func (r rules[N]) neg(x N) N                    { return r.Unary(prim.Neg, x) }
func (r rules[N]) square(x N) N                 { return r.mul(x, x) }
func (r rules[N]) inv(x N) N                    { return r.div(r.Const(1), x) }
func (r rules[N]) times(f float64, x N) N       { return r.mul(r.Const(f), x) }
func (r rules[N]) when(op prim.CmpOp, x, y N) N { return r.Choose(op, x, y, r.Const(1), r.Const(0)) }

// none is the derivative that is zero.
func none[N any]() (N, bool) {
	var n N
	return n, false
}

// either is what of two the i-th operand's derivative is.
func either[N any](i int, first, second func() N) (N, bool) {
	if i == 0 {
		return first(), true
	}
	return second(), true
}

// Unary is the derivative of op at x.
func Unary[N any](a Arithmetic[N], op prim.UnOp, x N) (N, bool) {
	switch op {
	case prim.Neg:
		return a.Const(-1), true
	case prim.Abs:
		return a.Unary(prim.Sgn, x), true
	case prim.Not:
		return x, a.Type() == prim.Bool
	case prim.Sgn:
		return none[N]()
	default:
		panic(fmt.Sprintf("partial: derivative of %v", op))
	}
}

// Binary is the derivative of op at x and y, where its value is result, by its i-th operand.
func Binary[N any](a Arithmetic[N], op prim.BinOp, x, y, result N, i int) (N, bool) {
	r := rules[N]{a}
	constant := func(k float64) func() N { return func() N { return r.Const(k) } }
	switch op {
	case prim.Add:
		return r.Const(1), true
	case prim.Sub:
		return either(i, constant(1), constant(-1))
	case prim.Mul, prim.LogAnd:
		return either(i, func() N { return y }, func() N { return x })
	case prim.Div, prim.Quot:
		return either(i, func() N { return r.inv(y) }, func() N { return r.neg(r.div(x, r.square(y))) })
	case prim.Mod, prim.Rem:
		if i == 1 && !r.Type().IsFloat() {
			return none[N]()
		}
		return either(i, constant(1), func() N { return r.neg(r.Call(prim.Trunc, r.div(x, y))) })
	case prim.Pow:
		if i == 1 && !r.Type().IsFloat() {
			return none[N]()
		}
		return either(i, func() N { return r.powerBase(x, y) }, func() N { return r.powerExponent(x, result) })
	case prim.LogOr:
		return r.Const(1), true
	case prim.Min:
		return either(i, func() N { return r.when(prim.Le, x, y) }, func() N { return r.when(prim.Gt, x, y) })
	case prim.Max:
		return either(i, func() N { return r.when(prim.Ge, x, y) }, func() N { return r.when(prim.Lt, x, y) })
	default: // of bits
		return none[N]()
	}
}

// powerBase is the derivative of x**y by x; where it would be infinite at zero, it is taken to be zero.
func (r rules[N]) powerBase(x, y N) N {
	zero, one := r.Const(0), r.Const(1)
	if !r.Type().IsFloat() {
		return r.mul(y, r.Binary(prim.Pow, x, r.Binary(prim.Max, r.sub(y, one), zero)))
	}
	slope := r.mul(y, r.Binary(prim.Pow, x, r.sub(y, one)))
	return r.Choose(prim.Eq, x, zero, r.Choose(prim.Lt, y, one, zero, slope), slope)
}

// powerExponent is the derivative of x**y by y; where there is none since x is not positive, it is taken to be zero.
func (r rules[N]) powerExponent(x, result N) N {
	return r.Choose(prim.Gt, x, r.Const(0), r.mul(result, r.Call(prim.Log, x)), r.Const(0))
}
