package simplify

import (
	"skald/middle/core"
	"skald/runtime/prim"
)

// result is what a rule makes of a statement: operands that stand for what it
// binds, or another expression, which relies on certificates besides those of the statement.
type result struct {
	values []core.Operand
	exp    core.Exp
	certs  []core.Var
}

func value(os ...core.Operand) *result { return &result{values: append([]core.Operand{}, os...)} }

func replace(e core.Exp) *result { return &result{exp: e} }

// relying is the result of a rule that uses, instead of an array, what the statement that makes the array does.
func relying(e core.Exp, made *core.Stm) *result { return &result{exp: e, certs: made.Aux.Certs} }

// rewrite applies the first rule that fits; nil when none does.
func (s *simplifier) rewrite(st *core.Stm) *result {
	switch e := core.Match(st.Exp).(type) {
	case *core.Use:
		return value(e.X)
	case *core.Un:
		return s.unary(e)
	case *core.Bin:
		return s.binary(e)
	case *core.Cmp:
		return s.compare(e)
	case *core.Conv:
		return s.convert(e)
	case *core.CallFunc:
		return callFunc(e)
	case *core.Assert:
		return s.assert(st, e)
	case *core.If:
		return s.ifRule(st, e)
	case *core.Switch:
		return s.switchRule(st, e)
	case *core.Loop:
		return s.loopRule(st, e)
	default:
	}
	if s.stage == core.StageMemory {
		return nil
	}
	switch e := core.Match(st.Exp).(type) {
	case *core.Index:
		return s.index(st, e)
	case *core.ArrayLit:
		return s.arrayLit(e)
	case *core.Rearrange:
		return s.rearrange(e)
	case *core.Reshape:
		return s.reshape(e)
	case *core.Replicate:
		return s.replicate(st, e)
	case *core.Copy:
		return s.copy(st, e)
	case *core.Concat:
		return s.concat(e)
	case *core.Update:
		return s.update(e)
	case *core.UpdateAcc:
		return s.neutralUpdate(e)
	case *core.WithAcc:
		if r := s.withoutUpdates(st, e); r != nil {
			return r
		}
		if near := s.neighboursOfUpdates(e); near != nil {
			return replace(near)
		}
		return s.ownUpdates(st, e)
	case *core.Screma:
		return s.screma(st, e)
	case *core.Hist:
		return s.hist(e)
	case *core.SegHist:
		return s.segHist(e)
	default:
	}
	return nil
}

func (s *simplifier) unary(e *core.Un) *result {
	if e.X.IsConst() {
		return value(core.C(prim.EvalUn(e.Op, e.X.Const)))
	}
	if in, ok := s.def(e.X).(*core.Un); ok && in.Op == e.Op && (e.Op == prim.Not || e.Op == prim.Neg && e.Type.IsInt()) {
		return value(in.X)
	}
	if in, ok := s.def(e.X).(*core.Cmp); ok && e.Op == prim.Not {
		if neg, ok := in.Op.Negate(in.Type); ok {
			return replace(&core.Cmp{Op: neg, Type: in.Type, X: in.X, Y: in.Y})
		}
	}
	return nil
}

func (s *simplifier) binary(e *core.Bin) *result {
	if e.X.IsConst() && e.Y.IsConst() {
		if v, err := prim.EvalBin(e.Op, e.X.Const, e.Y.Const); err == nil {
			return value(core.C(v))
		}
		return nil
	}
	if e.Op == prim.Mod && s.isBelow(e.X, e.Y, e.Type) {
		return value(e.X)
	}
	r := s.quotient(e)
	if r == nil {
		r = s.byShift(e)
	}
	if r == nil {
		r = s.byInverse(e)
	}
	switch {
	case r != nil:
	case e.X.IsConst() && e.Op == prim.Pow:
		r = s.powerOf(e, e.X.Const)
	case e.X.IsConst() && e.Op.Commutative(e.Type):
		r = s.algebra(e, e.Y, e.X)
	case e.Y.IsConst():
		r = s.algebra(e, e.X, e.Y)
	case e.X == e.Y:
		switch {
		case e.Op == prim.Sub && e.Type.IsInt(), e.Op == prim.Xor:
			return value(core.C(prim.Zero(e.Type)))
		case e.Op == prim.And, e.Op == prim.Or, e.Op == prim.Min, e.Op == prim.Max, e.Op == prim.LogAnd, e.Op == prim.LogOr:
			return value(e.X)
		}
	}
	if r != nil {
		return r
	}
	if r := s.multiple(e); r != nil {
		return r
	}
	return s.cancel(e)
}

// cancel simplifies sums and differences in which terms of the operands cancel: (x + n + 1) - (x + 1) is n. What remains is a variable, a
// number, or the sum of both. The sizes of slices are such, and arrays of one shape must be seen to have one.
func (s *simplifier) cancel(e *core.Bin) *result {
	if e.Type != prim.I64 || e.Op != prim.Add && e.Op != prim.Sub {
		return nil
	}
	x, y := s.poly(e.X, 0), s.poly(e.Y, 0)
	sum := x.Add(y)
	if e.Op == prim.Sub {
		sum = x.Sub(y)
	}
	if len(sum.Terms) >= len(x.Terms)+len(y.Terms) {
		return nil
	}
	constant, rest := int64(0), sum.Terms
	if len(rest) > 0 && len(rest[0].Vars) == 0 {
		constant, rest = rest[0].Coef, rest[1:]
	}
	switch {
	case len(rest) == 0:
		return value(core.Int(constant))
	case len(rest) > 1 || rest[0].Coef != 1 || len(rest[0].Vars) != 1:
		return nil
	}
	v := core.V(rest[0].Vars[0])
	if !s.Scope.OperandType(v).Same(core.I64) { // It is a narrower number that was converted.
		return nil
	}
	if constant == 0 {
		return value(v)
	}
	simpler := core.Bin{Op: prim.Add, Type: prim.I64, X: v, Y: core.Int(constant)}
	if constant < 0 {
		simpler.Op, simpler.Y = prim.Sub, core.Int(-constant)
	}
	if simpler == *e {
		return nil
	}
	return replace(&simpler)
}

// algebra simplifies x op c.
func (s *simplifier) algebra(e *core.Bin, x, c core.Operand) *result {
	isInt := e.Type.IsInt()
	zero, unit := c.Const.IsZero(), c.Const.IsOne()
	switch e.Op {
	case prim.Add, prim.Or, prim.Xor:
		if zero && isInt {
			return value(x)
		}
		if e.Op == prim.Add && isInt {
			return s.constants(e, x, c)
		}
	case prim.Sub, prim.Shl, prim.Shr, prim.UShr:
		if zero && isInt {
			return value(x)
		}
		if e.Op == prim.Sub && isInt {
			return s.constants(e, x, c)
		}
	case prim.Mul:
		if unit {
			return value(x)
		}
		if zero && isInt {
			return value(c)
		}
	case prim.Pow:
		return power(e, x, c.Const)
	case prim.Div, prim.Quot:
		if unit {
			return value(x)
		}
	case prim.And:
		if zero {
			return value(c)
		}
	case prim.LogAnd:
		if c.Const.Bool() {
			return value(x)
		}
		return value(c)
	case prim.LogOr:
		if c.Const.Bool() {
			return value(c)
		}
		return value(x)
	default:
	}
	return nil
}

// constants makes one of the constants of x + c or x - c where x is such a sum or difference of integers too: (y - 2) + 1 is y - 1.
func (s *simplifier) constants(e *core.Bin, x, c core.Operand) *result {
	in, ok := s.def(x).(*core.Bin)
	if !ok || in.Type != e.Type || in.Op != prim.Add && in.Op != prim.Sub || !in.Y.IsConst() {
		return nil
	}
	op := prim.Add
	if in.Op != e.Op {
		op = prim.Sub
	}
	v, _ := prim.EvalBin(op, in.Y.Const, c.Const) // of the operator that x has
	return replace(&core.Bin{Op: in.Op, Type: e.Type, X: in.X, Y: core.C(v)})
}

func (s *simplifier) compare(e *core.Cmp) *result {
	if e.X.IsConst() && e.Y.IsConst() {
		return value(core.Bool(prim.EvalCmp(e.Op, e.X.Const, e.Y.Const)))
	}
	if s.compares(e) {
		return value(core.Bool(true))
	}
	if op, ok := e.Op.Negate(e.Type); ok && s.compares(&core.Cmp{Op: op, Type: e.Type, X: e.X, Y: e.Y}) {
		return value(core.Bool(false))
	}
	if known, holds := s.limited(e); known {
		return value(core.Bool(holds))
	}
	if e.Type.IsUnsigned() && e.Y.IsConst() && e.Y.Const.IsZero() && (e.Op == prim.Lt || e.Op == prim.Ge) {
		return value(core.Bool(e.Op == prim.Ge))
	}
	if e.X == e.Y && !e.Type.IsFloat() {
		return value(core.Bool(e.Op == prim.Eq || e.Op == prim.Le || e.Op == prim.Ge))
	}
	if e.Type == prim.Bool && e.Y.IsConst() && (e.Op == prim.Eq || e.Op == prim.Ne) {
		if e.Y.Const.Bool() == (e.Op == prim.Eq) {
			return value(e.X)
		}
		return replace(&core.Un{Op: prim.Not, Type: prim.Bool, X: e.X})
	}
	if in, ok := s.def(e.X).(*core.Conv); ok && in.From == prim.Bool && e.Y.IsConst() {
		// What is asked of a one or a zero is known for each.
		holds := func(b bool) core.Operand {
			return core.Bool(prim.EvalCmp(e.Op, prim.Convert(e.Type, prim.MakeBool(b)), e.Y.Const))
		}
		return value(s.choose(in.X, holds(true), holds(false)))
	}
	return nil
}

// limited decides a comparison of the larger or the smaller of an integer and a constant with a constant, where the former says enough:
// max 1 n is not zero.
func (s *simplifier) limited(e *core.Cmp) (known, holds bool) {
	op, x, y := e.Op, e.X, e.Y
	if x.IsConst() {
		op, x, y = op.Swap(), y, x
	}
	in, ok := s.def(x).(*core.Bin)
	if !ok || !y.IsConst() || !e.Type.IsInt() || in.Op != prim.Max && in.Op != prim.Min {
		return false, false
	}
	limit := in.X
	if in.Y.IsConst() {
		limit = in.Y
	}
	if !limit.IsConst() {
		return false, false
	}
	past, from := prim.Gt, prim.Ge // x is past y if the limit is, and from y on if that is the limit
	if in.Op == prim.Min {
		past, from = prim.Lt, prim.Le
	}
	before, _ := from.Negate(e.Type)
	switch {
	case prim.EvalCmp(past, limit.Const, y.Const):
		return true, op == prim.Ne || op == past || op == from
	case limit.Const == y.Const:
		return op == from || op == before, op == from
	}
	return false, false
}

func (s *simplifier) convert(e *core.Conv) *result {
	switch {
	case e.From == e.To:
		return value(e.X)
	case e.X.IsConst():
		return value(core.C(prim.Convert(e.To, e.X.Const)))
	}
	in, ok := s.def(e.X).(*core.Conv)
	switch {
	case !ok:
	case !keeps(in.From, in.To):
		if e.To == prim.I64 && in.From == prim.I64 && in.To.IsInt() && s.isBelow(in.X, core.Int(exactBelow(in.To)), prim.I64) {
			return value(in.X) // It is small enough for the way through the narrower type.
		}
	case in.From == e.To:
		// Widening and then narrowing back leaves what was there.
		return value(in.X)
	case in.To.IsFloat() && e.To.IsFloat(), in.From.IsSigned() && in.To.IsSigned() && e.To.IsFloat(),
		in.From.IsUnsigned() && in.To.IsInt() && in.From.Bits() < in.To.Bits() && e.To.IsFloat(),
		in.From.IsInt() && in.To.IsInt() && e.To.IsInt() && e.To.Bits() <= in.To.Bits():
		// What is in between is exact, or has all the bits that remain.
		return replace(&core.Conv{From: in.From, To: e.To, X: in.X})
	}
	return nil
}

// exactBelow is what natural numbers lie below that an integer type narrower than an i64 has, as far as ranges are known.
func exactBelow(t prim.Type) int64 {
	bits := t.Bits()
	if t.IsSigned() {
		bits--
	}
	return min(int64(1)<<bits, mostKnown-1)
}

// keeps reports whether values of type from keep their value, or for integers their bits, when converted to type to.
func keeps(from, to prim.Type) bool {
	switch {
	case from.IsInt() && to.IsInt(), from.IsFloat() && to.IsFloat():
		return from.Bits() <= to.Bits()
	case from.IsInt() && to == prim.F64:
		return from.Bits() <= 32
	case from.IsInt() && to == prim.F32:
		return from.Bits() <= 16
	}
	return false
}

func callFunc(e *core.CallFunc) *result {
	args := make([]prim.Value, len(e.Args))
	for i, a := range e.Args {
		if !a.IsConst() {
			return nil
		}
		args[i] = a.Const
	}
	return value(core.C(prim.EvalFunc(e.Func, e.Type, args...)))
}

// assert drops what always holds.
func (s *simplifier) assert(st *core.Stm, e *core.Assert) *result {
	if !s.holds(e.Cond) {
		return nil
	}
	c := st.Dst[0].Var
	s.gone[c] = true
	return value(core.V(c))
}
