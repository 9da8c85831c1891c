package interp

import (
	"fmt"

	"skald/frontend/types"
	"skald/runtime/prim"
	"skald/runtime/prim/partial"
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
		return partial.IsSmooth(op.Func)
	default:
		return true
	}
}

// partial is the derivative of op by its i-th operand at args, where the result is y.
func (m *machine) partial(op types.ScalarOp, args []Value, y Value, i int) Value {
	c := calculus{m, op.Type}
	var d Value
	var ok bool
	switch op.Kind {
	case types.UnaryOp:
		d, ok = partial.Unary(c, op.Un, args[0])
	case types.BinaryOp:
		d, ok = partial.Binary(c, op.Bin, args[0], args[1], y, i)
	case types.FuncOp:
		d, ok = partial.Call(c, op.Func, args, y, i)
	default:
		panic(fmt.Sprintf("interp: derivative of operator kind %d", op.Kind))
	}
	if !ok {
		return c.Const(0)
	}
	return d
}

// calculus computes with numbers of one type, which may carry derivatives themselves: derivatives of any order follow.
type calculus struct {
	m *machine
	t prim.Type
}

func (c calculus) Type() prim.Type { return c.t }

func (c calculus) Const(x float64) Value {
	if c.t.IsFloat() {
		return Value{word: prim.MakeFloat(c.t, x).Word()}
	}
	return Value{word: prim.MakeInt(c.t, int64(x)).Word()}
}

func (c calculus) Unary(op prim.UnOp, x Value) Value {
	return c.m.scalar(types.ScalarOp{Kind: types.UnaryOp, Type: c.t, Un: op}, x)
}

func (c calculus) Binary(op prim.BinOp, x, y Value) Value { return c.m.binary(op, c.t, x, y) }

func (c calculus) Call(f prim.Func, args ...Value) Value {
	return c.m.scalar(types.ScalarOp{Kind: types.FuncOp, Type: c.t, Func: f}, args...)
}

func (c calculus) Choose(op prim.CmpOp, x, y, then, otherwise Value) Value {
	if prim.CmpWord(op, c.t)(x.word, y.word) {
		return then
	}
	return otherwise
}
