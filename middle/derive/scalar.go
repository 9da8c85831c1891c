package derive

import (
	"skald/middle/core"
	"skald/runtime/prim"
	"skald/runtime/prim/partial"
)

// scalar returns the tangent of y, the result of a scalar operator, unless it is zero.
func (c *coder) scalar(e core.Scalar, y core.Operand) (core.Operand, bool) {
	switch e := e.(type) {
	case *core.Un:
		return c.sum(calculus{c.b, e.Type}, []core.Operand{e.X}, func(k calculus, _ int) (core.Operand, bool) {
			return partial.Unary(k, e.Op, e.X)
		})
	case *core.Bin:
		return c.sum(calculus{c.b, e.Type}, []core.Operand{e.X, e.Y}, func(k calculus, i int) (core.Operand, bool) {
			return partial.Binary(k, e.Op, e.X, e.Y, y, i)
		})
	case *core.Conv:
		dx, ok := c.known(e.X)
		if !ok || !c.active(core.ScalarType(e.To)) {
			return core.Operand{}, false
		}
		return c.b.Conv(dx, e.To), true
	case *core.CallFunc:
		if e.Func == prim.ToBits || e.Func == prim.FromBits {
			return c.bits(e)
		}
		return c.sum(calculus{c.b, e.Type}, e.Args, func(k calculus, i int) (core.Operand, bool) {
			return partial.Call(k, e.Func, e.Args, y, i)
		})
	case *core.Cmp, *core.Tune, *core.Fact:
	}
	return core.Operand{}, false
}

// bits returns the tangent of a conversion between a float and its bits: the conversion of the tangent.
func (c *coder) bits(e *core.CallFunc) (core.Operand, bool) {
	dx, ok := c.known(e.Args[0])
	if !ok || !c.integers {
		return core.Operand{}, false
	}
	return c.b.Let("t", &core.CallFunc{Func: e.Func, Type: e.Type, Args: []core.Operand{dx}}), true
}

// sum adds up the tangents of operands, each times the partial derivative by it; partial's ok is false where that is zero.
func (c *coder) sum(k calculus, xs []core.Operand, partial func(k calculus, i int) (core.Operand, bool)) (core.Operand, bool) {
	if !c.active(core.ScalarType(k.t)) {
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
		case p == k.Const(1):
		case p == k.Const(-1):
			dx = k.Unary(prim.Neg, dx)
		default:
			dx = Mul(k.b, p, dx)
		}
		if any {
			dx = Add(k.b, total, dx)
		}
		total, any = dx, true
	}
	return total, any
}

// calculus makes scalar code at one type: the arithmetic of runtime/prim/partial.
type calculus struct {
	b *core.Builder
	t prim.Type
}

func (k calculus) Type() prim.Type                                 { return k.t }
func (k calculus) Const(x float64) core.Operand                    { return core.C(Number(k.t, x)) }
func (k calculus) Unary(op prim.UnOp, x core.Operand) core.Operand { return k.b.Un(op, x) }

func (k calculus) Binary(op prim.BinOp, x, y core.Operand) core.Operand {
	switch op {
	case prim.Add:
		return Add(k.b, x, y)
	case prim.Mul:
		return Mul(k.b, x, y)
	default:
		return k.b.Bin(op, x, y)
	}
}

func (k calculus) Call(f prim.Func, args ...core.Operand) core.Operand {
	return k.b.Let("t", &core.CallFunc{Func: f, Type: k.t, Args: args})
}

func (k calculus) Choose(op prim.CmpOp, x, y, then, otherwise core.Operand) core.Operand {
	return k.choose(k.b.Cmp(op, x, y), then, otherwise)
}

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

// choose is x where cond holds, else y.
func (k calculus) choose(cond, x, y core.Operand) core.Operand {
	give := func(o core.Operand) func(*core.Builder) []core.Operand {
		return func(*core.Builder) []core.Operand { return []core.Operand{o} }
	}
	return k.b.If("t", cond, []core.Type{core.ScalarType(k.t)}, give(x), give(y))[0]
}
