package simplify

import (
	"skald/middle/core"
	"skald/runtime/prim"
)

// power simplifies x ** c. A product is rounded once, a power of a device's library often otherwise.
func power(e *core.Bin, x core.Operand, c prim.Value) *result {
	two, minus := prim.Convert(e.Type, prim.MakeI64(2)), prim.Convert(e.Type, prim.MakeI64(-1))
	switch {
	case c.IsZero():
		return value(core.C(prim.One(e.Type)))
	case c.IsOne():
		return value(x)
	case c == two:
		return replace(&core.Bin{Op: prim.Mul, Type: e.Type, X: x, Y: x})
	case c == minus && e.Type.IsFloat():
		return replace(&core.Bin{Op: prim.Div, Type: e.Type, X: core.C(prim.One(e.Type)), Y: x})
	}
	return nil
}

// quotient makes divisions of i64 cheaper that ranges are known of: no sign decides on the result where both operands are natural, and
// 32 bits are enough where the dividend is small and the divisor a small number.
func (s *simplifier) quotient(e *core.Bin) *result {
	if e.Type != prim.I64 || !s.isNatural(e.X) || !s.isNatural(e.Y) {
		return nil
	}
	op := e.Op
	switch e.Op {
	case prim.Div:
		op = prim.Quot
	case prim.Mod:
		op = prim.Rem
	case prim.Quot, prim.Rem:
	default:
		return nil
	}
	if d, ok := e.Y.ConstInt(); ok && d > 0 && d <= mostSmall && s.isSmall(e.X) {
		q := s.let("t", &core.Bin{Op: op, Type: prim.U32, X: s.narrow(e.X), Y: core.C(prim.Convert(prim.U32, e.Y.Const))})
		return replace(&core.Conv{From: prim.U32, To: prim.I64, X: q})
	}
	if op == e.Op {
		return nil
	}
	return replace(&core.Bin{Op: op, Type: e.Type, X: e.X, Y: e.Y})
}

// mostSmall is the largest number of 32 bits.
const mostSmall = 1<<32 - 1

// isNatural reports whether an i64 operand is known to be at least 0.
func (s *simplifier) isNatural(o core.Operand) bool {
	if n, ok := o.ConstInt(); ok {
		return n >= 0
	}
	return s.facts.natural[o.Var] || s.facts.positive[o.Var] > 0
}

// isSmall reports whether a natural variable is known to fit 32 bits.
func (s *simplifier) isSmall(o core.Operand) bool {
	limit, ok := s.facts.below[o.Var]
	if !ok {
		return false
	}
	n, ok := limit.ConstInt()
	return ok && n <= mostSmall+1
}

// narrow is the u32 of a small variable.
func (s *simplifier) narrow(o core.Operand) core.Operand {
	if in, ok := s.def(o).(*core.Conv); ok && in.From == prim.U32 {
		return in.X
	}
	return s.let("t", &core.Conv{From: prim.I64, To: prim.U32, X: o})
}
