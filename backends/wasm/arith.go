package wasm

import (
	"math"

	"skald/middle/imp"
	"skald/runtime/prim"
)

// infix are the operators that are one instruction, of integers and of floats.
var (
	intInfix = map[prim.BinOp]op{
		prim.Add: add, prim.Sub: sub, prim.Mul: mul, prim.And: and, prim.Or: or, prim.Xor: xor, prim.LogAnd: and, prim.LogOr: or,
	}
	floatInfix = map[prim.BinOp]op{prim.Add: fadd, prim.Sub: fsub, prim.Mul: fmul, prim.Div: fdiv}
)

// ofIndices says that an operator is index arithmetic.
const ofIndices = true

// operator applies a binary operator to the two values on the stack. Right is the second operand as it was, for operators that are simpler
// when it is constant; it may be nil. Operands of index arithmetic are such that no quotient fails.
func (w *writer) operator(op prim.BinOp, t prim.Type, right imp.Exp, index bool) {
	if t.IsFloat() {
		w.floatOperator(op, t)
		return
	}
	if i, ok := intInfix[op]; ok {
		w.emit(at(t, i))
		if op == prim.Add || op == prim.Sub || op == prim.Mul {
			w.narrow(t)
		}
		return
	}
	switch op {
	case prim.Min:
		w.lesser(t, prim.Lt)
	case prim.Max:
		w.lesser(t, prim.Gt)
	case prim.Shl, prim.Shr, prim.UShr:
		w.shift(op, t, right)
	case prim.Div, prim.Mod, prim.Quot, prim.Rem:
		w.quotient(op, t, right, index)
	default:
		w.hostOperator(op, t)
	}
}

// hostOperator lets the evaluator's arithmetic apply an operator.
func (w *writer) hostOperator(op prim.BinOp, t prim.Type) {
	f, ok := prim.BinWord(op, t)
	if !ok {
		panic("wasm: no " + op.String() + " of " + t.String())
	}
	w.host(op.String(), t, []prim.Type{t, t}, t, func(s []uint64) uint64 { return f(s[0], s[1]) })
}

func (w *writer) floatOperator(op prim.BinOp, t prim.Type) {
	i, isInfix := floatInfix[op]
	switch {
	case t == prim.F16:
		w.hostOperator(op, t)
	case isInfix:
		w.emit(at(t, i))
	case op == prim.Min:
		w.floatLesser(t, fmin)
	case op == prim.Max:
		w.floatLesser(t, fmax)
	default:
		w.hostOperator(op, t)
	}
}

// pair takes two values off the stack into locals.
func (w *writer) pair(t Type) (x, y uint64) {
	x, y = w.temp(t), w.temp(t)
	w.set(y)
	w.set(x)
	return x, y
}

// lesser is the one of two integers that comes first.
func (w *writer) lesser(t prim.Type, first prim.CmpOp) {
	lt := typeOf(imp.Of(t))
	x, y := w.pair(lt)
	w.get(x)
	w.get(y)
	w.get(x)
	w.get(y)
	w.compare(first, t)
	w.emit(selectOp)
	w.release(lt, x, y)
}

// floatLesser is the lesser or greater of two floats; of a number and a NaN, which the instruction would give, the number.
func (w *writer) floatLesser(t prim.Type, instruction op) {
	lt := typeOf(imp.Of(t))
	x, y := w.pair(lt)
	w.get(x)
	w.get(y)
	w.emit(at(t, instruction))
	w.get(x)
	w.get(y)
	w.get(y)
	w.emit(at(t, feq), selectOp) // x unless y is a number
	w.get(y)
	w.get(x)
	w.get(x)
	w.emit(at(t, feq), selectOp) // y unless x is a number
	w.release(lt, x, y)
}

// shift shifts by a count that may be as large as the width, or larger.
func (w *writer) shift(op prim.BinOp, t prim.Type, right imp.Exp) {
	lt, width := typeOf(imp.Of(t)), uint64(t.Bits())
	arithmetic := op == prim.Shr && t.IsSigned()
	i := shl
	switch {
	case arithmetic:
		i = shrS
	case op != prim.Shl:
		i = shrU
	}
	c, constant := right.(*imp.Const)
	inside := constant && c.Value.Word() < width
	x, n := w.pair(lt)
	w.get(x)
	if op == prim.UShr && t.IsSigned() && width < 32 { // The sign's copies are no bits of the number.
		w.constant(i32Const, 1<<width-1)
		w.emit(and)
	}
	w.get(n)
	if arithmetic && !inside { // The sign is left of a shift by the width or more.
		w.integer(lt, width-1)
		w.get(n)
		w.integer(lt, width)
		w.emit(at(t, ltU), selectOp)
	}
	w.emit(at(t, i))
	if !arithmetic && !inside {
		w.zero(lt)
		w.get(n)
		w.integer(lt, width)
		w.emit(at(t, ltU), selectOp)
	}
	if op != prim.Shr {
		w.narrow(t)
	}
	w.release(lt, x, n)
}

// integer pushes an integer.
func (w *writer) integer(t Type, n uint64) {
	if t == I64 {
		w.with(i64Const, n)
		return
	}
	w.with(i32Const, uint64(uint32(n)))
}

// quotient divides. The quotient and remainder by zero are zero, and those of the least number by -1 wrap around, where the
// instructions trap.
func (w *writer) quotient(op prim.BinOp, t prim.Type, right imp.Exp, index bool) {
	c, constant := right.(*imp.Const)
	quotient := op == prim.Div || op == prim.Quot
	truncates := op == prim.Quot || op == prim.Rem || t.IsUnsigned()
	divide, remainder := divS, remS
	if t.IsUnsigned() {
		divide, remainder = divU, remU
	}
	harmless := index || constant && (t.IsUnsigned() && c.Value.Word() != 0 || c.Value.Int() > 0)
	switch {
	case harmless && truncates && quotient:
		w.emit(at(t, divide))
		return
	case harmless && truncates:
		w.emit(at(t, remainder))
		return
	}
	lt := typeOf(imp.Of(t))
	x, y := w.pair(lt)
	if !harmless {
		w.guarded(t, x, y, quotient)
	}
	switch {
	case truncates:
		w.get(x)
		w.get(y)
		if quotient {
			w.emit(at(t, divide))
		} else {
			w.emit(at(t, remainder))
		}
	case quotient:
		w.floorQuotient(t, x, y)
	default:
		w.floorRemainder(t, x, y)
	}
	if !harmless {
		w.emit(end)
	}
	w.narrow(t)
	w.release(lt, x, y)
}

// guarded begins the division of x by a y that is neither 0 nor, of signed numbers, -1; what there is in these cases is before it.
func (w *writer) guarded(t prim.Type, x, y uint64, quotient bool) {
	lt := typeOf(imp.Of(t))
	w.get(y)
	if t.IsUnsigned() {
		w.emit(eqz(lt))
	} else {
		w.integer(lt, 1)
		w.emit(at(t, add))
		w.integer(lt, 1)
		w.emit(at(t, leU))
	}
	w.block(ifOp, lt)
	if quotient && !t.IsUnsigned() { // -x by -1, and 0 by 0
		w.zero(lt)
		w.get(x)
		w.emit(at(t, sub))
		w.get(y)
		w.emit(at(t, and))
	} else {
		w.zero(lt)
	}
	w.emit(elseOp)
}

func eqz(t Type) op {
	if t == I64 {
		return i64Eqz
	}
	return i32Eqz
}

// floorRemainder is the remainder with the sign of y.
func (w *writer) floorRemainder(t prim.Type, x, y uint64) {
	lt := typeOf(imp.Of(t))
	r := w.temp(lt)
	w.get(x)
	w.get(y)
	w.emit(at(t, remS))
	w.tee(r)
	w.get(y)
	w.zero(lt)
	w.inexact(t, r, y)
	w.emit(selectOp, at(t, add))
	w.release(lt, r)
}

// floorQuotient is the quotient that rounds down.
func (w *writer) floorQuotient(t prim.Type, x, y uint64) {
	lt := typeOf(imp.Of(t))
	q, r := w.temp(lt), w.temp(lt)
	w.get(x)
	w.get(x)
	w.get(y)
	w.emit(at(t, divS))
	w.tee(q)
	w.get(y)
	w.emit(at(t, mul), at(t, sub))
	w.set(r)
	w.get(q)
	w.inexact(t, r, y)
	if lt == I64 {
		w.emit(i64ExtendI32U)
	}
	w.emit(at(t, sub))
	w.release(lt, q, r)
}

// inexact pushes whether a remainder is not zero and has another sign than the divisor.
func (w *writer) inexact(t prim.Type, r, y uint64) {
	lt := typeOf(imp.Of(t))
	w.get(r)
	w.zero(lt)
	w.emit(at(t, ne))
	w.get(r)
	w.get(y)
	w.emit(at(t, xor))
	w.zero(lt)
	w.emit(at(t, ltS), and)
}

// conv converts what is on the stack.
func (w *writer) conv(from, to prim.Type) {
	switch {
	case from == to:
	case from == prim.F16 || to == prim.F16:
		f := prim.ConvertWord(from, to)
		w.host("conv_"+from.String(), to, []prim.Type{from}, to, func(s []uint64) uint64 { return f(s[0]) })
	case to == prim.Bool:
		w.zero(typeOf(imp.Of(from)))
		w.compare(prim.Ne, from)
	case from.IsFloat() && to.IsFloat():
		if to == prim.F64 {
			w.emit(f64PromoteF32)
		} else {
			w.emit(f32DemoteF64)
		}
	case to.IsFloat():
		w.emit(intToFloat(from, to))
	case from.IsFloat():
		w.floatToInt(from, to)
	default:
		w.intToInt(from, to)
	}
}

func intToFloat(from, to prim.Type) op {
	i := f32ConvertI32S
	if to == prim.F64 {
		i = f64ConvertI32S
	}
	if from.Bits() == 64 {
		i += f32ConvertI64S - f32ConvertI32S
	}
	if !from.IsSigned() {
		i += f32ConvertI32U - f32ConvertI32S
	}
	return i
}

func (w *writer) intToInt(from, to prim.Type) {
	switch {
	case from.Bits() == to.Bits() && to.Bits() >= 32:
		return
	case to.Bits() == 64 && from.IsSigned():
		w.emit(i64ExtendI32S)
		return
	case to.Bits() == 64:
		w.emit(i64ExtendI32U)
		return
	case from.Bits() == 64:
		w.emit(i32WrapI64)
	}
	fits := from.Bits() < to.Bits() && (!from.IsSigned() || to.IsSigned())
	if !fits {
		w.narrow(to)
	}
}

// floatToInt truncates, and keeps the low bits; the evaluator's arithmetic does so for numbers that 64 bits do not hold.
func (w *writer) floatToInt(from, to prim.Type) {
	t := typeOf(imp.Of(from))
	x := w.temp(t)
	w.tee(x)
	w.emit(at(from, fabs))
	w.value(from, prim.MakeFloat(from, 1<<63))
	w.emit(at(from, flt))
	w.block(ifOp, I64)
	w.get(x)
	if from == prim.F32 {
		w.emit(i64TruncSatF32S)
	} else {
		w.emit(i64TruncSatF64S)
	}
	w.emit(elseOp)
	w.get(x)
	f := prim.ConvertWord(from, prim.I64)
	w.host("conv_"+from.String(), prim.I64, []prim.Type{from}, prim.I64, func(s []uint64) uint64 { return f(s[0]) })
	w.emit(end)
	w.intToInt(prim.I64, to)
	w.release(t, x)
}

// maskOf has the bits of a type of 8 or 16 bits.
func maskOf(t prim.Type) int {
	if t.Bits() == 8 {
		return math.MaxUint8
	}
	return math.MaxUint16
}
