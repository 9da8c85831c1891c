package wasm

import (
	"fmt"
	"math"

	"skald/middle/imp"
	"skald/runtime/prim"
)

// exp pushes the value of an expression.
func (w *writer) exp(e imp.Exp) {
	switch e := e.(type) {
	case *imp.Const:
		w.value(primOf(e.Type), e.Value)
	case *imp.VarExp:
		w.get(w.variable(e.Var))
	case *imp.Un:
		w.exp(e.X)
		w.un(e.Op, primOf(e.Type))
	case *imp.Bin:
		w.bin(e)
	case *imp.Cmp:
		w.exp(e.X)
		w.exp(e.Y)
		w.compare(e.Op, primOf(e.Type))
	case *imp.Conv:
		w.exp(e.X)
		w.conv(primOf(e.From), primOf(e.To))
	case *imp.CallFunc:
		for _, a := range e.Args {
			w.exp(a)
		}
		w.function1(e.Func, e.Type)
	case *imp.Select:
		w.selects(e)
	case *imp.Load:
		w.load(e.Mem, e.Index)
	case *imp.Id:
		w.id(e.Kind)
	default:
		panic(fmt.Sprintf("wasm: unknown expression %T", e))
	}
}

// value pushes a constant.
func (w *writer) value(t prim.Type, v prim.Value) {
	word := v.Word()
	switch typeOf(imp.Of(t)) {
	case I64:
		w.with(i64Const, word)
	case F32:
		w.with(f32Const, word)
	case F64:
		w.with(f64Const, word)
	default:
		w.with(i32Const, uint64(uint32(word)))
	}
}

// id pushes a number of the thread.
func (w *writer) id(k imp.IdKind) {
	switch l, known := w.ids[k]; {
	case known:
		w.get(l)
	case k == imp.LocalID:
		w.constant(i64Const, 0)
	case k == imp.GroupSize:
		w.constant(i64Const, w.kernel.GroupSize)
	case k == imp.NumGroups:
		w.get(w.groups)
	default:
		panic(fmt.Sprintf("wasm: %s in a kernel without subgroups", k))
	}
}

// lazily reports whether an expression is only to be evaluated where it is needed: it takes long, or may trap or read what is not there.
func lazily(e imp.Exp) bool {
	found := false
	imp.WalkExp(e, func(e imp.Exp) {
		switch e := imp.Match(e).(type) {
		case *imp.Load, *imp.CallFunc:
			found = true
		case *imp.Bin:
			switch e.Op { //nolint:exhaustive // the others are an instruction or two
			case prim.Div, prim.Mod, prim.Quot, prim.Rem, prim.Pow:
				found = true
			default:
			}
		default:
		}
	})
	return found
}

func (w *writer) selects(e *imp.Select) {
	t := typeOf(e.Type)
	if lazily(e.Then) || lazily(e.Else) {
		w.exp(e.Cond)
		w.block(ifOp, t)
		w.uncertain++
		w.exp(e.Then)
		w.emit(elseOp)
		w.exp(e.Else)
		w.uncertain--
		w.emit(end)
		return
	}
	w.exp(e.Then)
	w.exp(e.Else)
	w.exp(e.Cond)
	w.emit(selectOp)
}

// bin pushes the result of an operator.
func (w *writer) bin(e *imp.Bin) {
	t := primOf(e.Type)
	if l := w.hoisted[product(e)]; l != 0 {
		w.get(l)
		return
	}
	if (e.Op == prim.LogAnd || e.Op == prim.LogOr) && lazily(e.Y) {
		w.exp(e.X)
		w.block(ifOp, I32)
		w.uncertain++
		if e.Op == prim.LogAnd {
			w.exp(e.Y)
			w.emit(elseOp)
			w.constant(i32Const, 0)
		} else {
			w.constant(i32Const, 1)
			w.emit(elseOp)
			w.exp(e.Y)
		}
		w.uncertain--
		w.emit(end)
		return
	}
	w.exp(e.X)
	w.exp(e.Y)
	w.operator(e.Op, t, e.Y, e.Type == imp.Idx)
}

// narrow wraps the i32 on the stack around to a type of 8 or 16 bits.
func (w *writer) narrow(t prim.Type) {
	switch t {
	case prim.I8:
		w.emit(i32Extend8S)
	case prim.I16:
		w.emit(i32Extend16S)
	case prim.U8:
		w.constant(i32Const, math.MaxUint8)
		w.emit(and)
	case prim.U16:
		w.constant(i32Const, math.MaxUint16)
		w.emit(and)
	default:
	}
}

// compare compares what is on the stack.
func (w *writer) compare(c prim.CmpOp, t prim.Type) {
	switch {
	case t == prim.F16:
		f := prim.CmpWord(c, t)
		w.host(c.String(), t, []prim.Type{t, t}, prim.Bool, func(s []uint64) uint64 { return word(f(s[0], s[1])) })
	case t.IsFloat():
		w.emit(at(t, [prim.NumCmpOps]op{feq, fne, flt, fle, fgt, fge}[c]))
	case t.IsSigned():
		w.emit(at(t, [prim.NumCmpOps]op{eq, ne, ltS, leS, gtS, geS}[c]))
	default:
		w.emit(at(t, [prim.NumCmpOps]op{eq, ne, ltU, leU, gtU, geU}[c]))
	}
}

// word is a boolean as a word.
func word(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// at is the instruction for a type: that of i32 or f32, or its like for 64 bits.
func at(t prim.Type, o op) op {
	switch {
	case t.Bits() != 64:
		return o
	case o >= eq && o <= geU:
		return o + toI64Compare
	case o >= feq && o <= fge:
		return o + toF64Compare
	case t.IsFloat():
		return o + toF64
	}
	return o + toI64
}

// un applies a unary operator to what is on the stack.
func (w *writer) un(op prim.UnOp, t prim.Type) {
	switch {
	case t == prim.Bool:
		w.emit(i32Eqz)
	case t == prim.F16:
		f, _ := prim.UnWord(op, t)
		w.host(op.String(), t, []prim.Type{t}, t, func(s []uint64) uint64 { return f(s[0]) })
	case t.IsFloat():
		w.floatUn(op, t)
	default:
		w.intUn(op, t)
	}
}

func (w *writer) floatUn(op prim.UnOp, t prim.Type) {
	switch op {
	case prim.Neg:
		w.emit(at(t, fneg))
	case prim.Abs:
		w.emit(at(t, fabs))
	case prim.Sgn: // of what is neither more nor less than zero, itself
		lt := typeOf(imp.Of(t))
		x := w.temp(lt)
		w.tee(x)
		w.zero(lt)
		w.emit(at(t, fgt))
		w.block(ifOp, lt)
		w.value(t, prim.One(t))
		w.emit(elseOp)
		w.value(t, prim.EvalUn(prim.Neg, prim.One(t)))
		w.get(x)
		w.get(x)
		w.zero(lt)
		w.emit(at(t, flt), selectOp, end)
		w.release(lt, x)
	case prim.Not:
		panic("wasm: no complement of floats")
	}
}

func (w *writer) intUn(op prim.UnOp, t prim.Type) {
	lt := typeOf(imp.Of(t))
	if op == prim.Not {
		w.value(t, prim.FromWord(t, math.MaxUint64))
		w.emit(at(t, xor))
		return
	}
	if op == prim.Abs && t.IsUnsigned() {
		return
	}
	x := w.temp(lt)
	w.set(x)
	switch op {
	case prim.Neg:
		w.zero(lt)
		w.get(x)
		w.emit(at(t, sub))
		w.narrow(t)
	case prim.Abs:
		w.zero(lt)
		w.get(x)
		w.emit(at(t, sub))
		w.get(x)
		w.get(x)
		w.zero(lt)
		w.emit(at(t, ltS), selectOp)
		w.narrow(t)
	case prim.Sgn:
		w.get(x)
		w.zero(lt)
		w.compare(prim.Gt, t)
		w.get(x)
		w.zero(lt)
		w.compare(prim.Lt, t)
		w.emit(sub)
		if lt == I64 {
			w.emit(i64ExtendI32S)
		}
	case prim.Not:
	}
	w.release(lt, x)
}
