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

// powerOf simplifies c ** y of integers, where y is not negative: that has been checked. A shift by as many bits as a number has, or more,
// is 0, as the power is.
func (s *simplifier) powerOf(e *core.Bin, c prim.Value) *result {
	if !e.Type.IsInt() {
		return nil
	}
	number := func(n int64) core.Operand { return core.C(prim.Convert(e.Type, prim.MakeI64(n))) }
	switch {
	case c.IsOne():
		return value(e.X)
	case c == number(2).Const:
		return replace(&core.Bin{Op: prim.Shl, Type: e.Type, X: number(1), Y: e.Y})
	case c == number(-1).Const && e.Type.IsSigned():
		odd := s.let("odd", &core.Bin{Op: prim.And, Type: e.Type, X: e.Y, Y: number(1)})
		twice := s.let("t", &core.Bin{Op: prim.Add, Type: e.Type, X: odd, Y: odd})
		return replace(&core.Bin{Op: prim.Sub, Type: e.Type, X: number(1), Y: twice})
	}
	return nil
}

// multiple computes the largest multiple of y up to x, written x / y * y, as x - x mod y, where that remainder is known already or nothing
// else uses the quotient.
func (s *simplifier) multiple(e *core.Bin) *result {
	if e.Op != prim.Mul || !e.Type.IsInt() {
		return nil
	}
	for _, o := range []core.Operand{e.X, e.Y} {
		y := e.X
		if o == e.X {
			y = e.Y
		}
		in, ok := s.def(o).(*core.Bin)
		if !ok || in.Y != y || in.Op != prim.Div && in.Op != prim.Quot {
			continue
		}
		rest := &core.Bin{Op: prim.Mod, Type: e.Type, X: in.X, Y: y}
		if in.Op == prim.Quot {
			rest.Op = prim.Rem
		}
		hash, _ := hashed(rest)
		if s.avail.alike(rest, hash) == nil && !(int(o.Var) < len(s.uses) && s.uses[o.Var] == 1) {
			continue
		}
		made := s.defs[o.Var]
		x := s.letOnceAs("rest", rest, made.Aux)
		return relying(&core.Bin{Op: prim.Sub, Type: e.Type, X: in.X, Y: x}, made)
	}
	return nil
}

// Note [Divisions by powers of two]
//
// A division that rounds down by y = 1 << i is a shift by i, and its remainder the bits below: devices divide in some 25 instructions, and
// then correct what they round towards zero. y is negative where i is the last bit of a signed type, and then the least number there is.
// With r = x & (y - 1), the remainder is r or, if y is negative and r is not 0, r + y, and the quotient x >> i or, if y is negative, that
// without its sign, less 1 if r is not 0. As s = y >> last is -1 where y is negative and else 0,
//
//	x mod y = r + (r != 0) * (y & s)	x / y = ((x >> i) ^ s) - s + (r != 0) * s
//
// Nothing is known of y's own range by that, so it is done when there are kernels, behind proofs that bounds hold.

// byShift divides by a power of two: see Note [Divisions by powers of two].
func (s *simplifier) byShift(e *core.Bin) *result {
	if e.Op != prim.Div && e.Op != prim.Mod || !e.Type.IsInt() || s.stage == core.StageSOACS {
		return nil
	}
	power, ok := s.def(e.Y).(*core.Bin)
	if !ok || power.Op != prim.Shl || !power.X.IsConst() || !power.X.Const.IsOne() {
		return nil
	}
	t := e.Type
	bin := func(op prim.BinOp, x, y core.Operand) *core.Bin { return &core.Bin{Op: op, Type: t, X: x, Y: y} }
	let := func(name string, op prim.BinOp, x, y core.Operand) core.Operand {
		return s.letOnce(name, bin(op, x, y))
	}
	if !t.IsSigned() {
		if e.Op == prim.Div {
			return replace(bin(prim.Shr, e.X, power.Y))
		}
		return replace(bin(prim.And, e.X, let("mask", prim.Sub, e.Y, core.C(prim.One(t)))))
	}
	number := func(n int64) core.Operand { return core.C(prim.Convert(t, prim.MakeI64(n))) }
	mask := let("mask", prim.Sub, e.Y, number(1))
	sign := let("sign", prim.Shr, e.Y, number(int64(t.Bits()-1)))
	rest := let("rest", prim.And, e.X, mask)
	some := s.letOnce("some", &core.Cmp{Op: prim.Ne, Type: t, X: rest, Y: number(0)})
	more := s.letOnce("more", &core.Conv{From: prim.Bool, To: t, X: some})
	if e.Op == prim.Mod {
		return replace(bin(prim.Add, rest, let("t", prim.Mul, more, let("t", prim.And, e.Y, sign))))
	}
	q := let("q", prim.Sub, let("t", prim.Xor, let("t", prim.Shr, e.X, power.Y), sign), sign)
	return replace(bin(prim.Add, q, let("t", prim.Mul, more, sign)))
}

// Note [Inverses of powers of two]
//
// A float divided by a power of two is multiplied by its inverse, exactly: the bits of the inverse of 2^k are those of 2^(2·bias) less
// those of 2^k, as the exponent is bias + k. The integer that the power is converted from may be 0, whose inverse is an infinity, the bits
// of which are one exponent more; or the least of its type, so that power and inverse are negative. Devices divide in some 15 instructions,
// of which some wait for others.

// byInverse divides a float by a power of two: see Note [Inverses of powers of two].
func (s *simplifier) byInverse(e *core.Bin) *result {
	in, ok := s.def(e.Y).(*core.Conv)
	if !ok || e.Op != prim.Div || s.stage == core.StageSOACS || !in.From.IsInt() || !s.isPower(in.X) {
		return nil
	}
	var least, twice uint64 // the bits of the least exponent, and of twice the bias
	switch e.Type {         //nolint:exhaustive // powers may be infinite in f16, and others do not divide so
	case prim.F32:
		least, twice = 1<<23, 254<<23
	case prim.F64:
		least, twice = 1<<52, 2046<<52
	default:
		return nil
	}
	t := e.Type.ToUnsigned()
	number := func(n uint64) core.Operand { return core.C(prim.Convert(t, prim.MakeI64(int64(n)))) }
	let := func(op prim.BinOp, x, y core.Operand) core.Operand {
		return s.letOnce("t", &core.Bin{Op: op, Type: t, X: x, Y: y})
	}
	bits := s.letOnce("bits", &core.CallFunc{Func: prim.ToBits, Type: e.Type, Args: []core.Operand{e.Y}})
	none := s.letOnce("none", &core.Cmp{Op: prim.Eq, Type: in.From, X: in.X, Y: core.C(prim.Zero(in.From))})
	more := let(prim.Mul, s.letOnce("t", &core.Conv{From: prim.Bool, To: t, X: none}), number(least))
	bits = let(prim.Add, let(prim.Sub, number(twice), bits), more)
	inverse := s.letOnce("inverse", &core.CallFunc{Func: prim.FromBits, Type: e.Type, Args: []core.Operand{bits}})
	return replace(&core.Bin{Op: prim.Mul, Type: e.Type, X: e.X, Y: inverse})
}

// isPower reports whether an integer is a power of two, or 0: 1 << i, or the product of such.
func (s *simplifier) isPower(o core.Operand) bool {
	if o.IsConst() {
		n := o.Const.Uint()
		return n&(n-1) == 0
	}
	e, ok := s.def(o).(*core.Bin)
	return ok && (e.Op == prim.Shl && e.X.IsConst() && e.X.Const.IsOne() || e.Op == prim.Mul && s.isPower(e.X) && s.isPower(e.Y))
}

// letOnce adds a scalar statement, unless one that computes the same is there.
func (s *simplifier) letOnce(base string, e core.Exp) core.Operand {
	return s.letOnceAs(base, e, core.Aux{})
}

// letOnceAs is letOnce for a statement with certificates.
func (s *simplifier) letOnceAs(base string, e core.Exp, aux core.Aux) core.Operand {
	in := s.Nested()
	o := in.Let(base, e)
	for _, st := range in.Stms() {
		st.Aux = aux
		s.stm(st)
	}
	return s.sub.Operand(o)
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
