package interp

import (
	"fmt"
	"math"

	"skald/frontend/types"
	"skald/runtime/prim"
)

// op compiles a scalar operator. Each closure first looks whether an operand carries derivatives (Value.ref): then
// the operation is differentiated too.
func (s *scope) op(e *types.Op) eval {
	switch len(e.Args) {
	case 1:
		return s.op1(e)
	case 2:
		return s.op2(e)
	case 3:
		x, y, z := s.exp(e.Args[0]), s.exp(e.Args[1]), s.exp(e.Args[2])
		g, ok := prim.FuncWord3(e.Op.Func, e.Op.Type)
		if !ok {
			panic(fmt.Sprintf("interp: no %s at %s", e.Op.Func, e.Op.Type))
		}
		op := e.Op
		return func(f *frame) Value {
			a, b, c := x(f), y(f), z(f)
			if a.ref != nil || b.ref != nil || c.ref != nil {
				return f.m.differentiate(op, a, b, c)
			}
			return Value{word: g(a.word, b.word, c.word)}
		}
	default:
		panic(fmt.Sprintf("interp: operator with %d operands", len(e.Args)))
	}
}

// wordOp1 is the operator as a function of words.
func wordOp1(op types.ScalarOp) func(uint64) uint64 {
	var g func(uint64) uint64
	ok := true
	switch op.Kind {
	case types.UnaryOp:
		g, ok = prim.UnWord(op.Un, op.Type)
	case types.ConvertOp:
		g = prim.ConvertWord(op.Type, op.To)
	case types.FuncOp:
		g, ok = prim.FuncWord1(op.Func, op.Type)
	default:
		ok = false
	}
	if !ok {
		panic(fmt.Sprintf("interp: no unary operator %+v", op))
	}
	return g
}

func (s *scope) op1(e *types.Op) eval {
	x, op := s.exp(e.Args[0]), e.Op
	g := wordOp1(op)
	if op.Kind == types.ConvertOp && op.Type == op.To {
		return x
	}
	return func(f *frame) Value {
		a := x(f)
		if a.ref != nil {
			return f.m.differentiate(op, a)
		}
		return Value{word: g(a.word)}
	}
}

// wordOp2 is the operator as a function of words; comparisons give 0 or 1.
func wordOp2(op types.ScalarOp) func(x, y uint64) uint64 {
	var g func(x, y uint64) uint64
	ok := true
	switch op.Kind {
	case types.BinaryOp:
		g, ok = prim.BinWord(op.Bin, op.Type)
	case types.FuncOp:
		g, ok = prim.FuncWord2(op.Func, op.Type)
	case types.CompareOp:
		cmp := prim.CmpWord(op.Cmp, op.Type)
		g = func(x, y uint64) uint64 {
			if cmp(x, y) {
				return 1
			}
			return 0
		}
	default:
		ok = false
	}
	if !ok {
		panic(fmt.Sprintf("interp: no binary operator %+v", op))
	}
	return g
}

func (s *scope) op2(e *types.Op) eval {
	x, y, op := s.exp(e.Args[0]), s.exp(e.Args[1]), e.Op
	if fast := fastOp2(op, x, y); fast != nil {
		return fast
	}
	g := wordOp2(op)
	canFail := op.Kind == types.BinaryOp && op.Bin.CanFail(op.Type)
	st := s.site(e.At)
	return func(f *frame) Value {
		a, b := x(f), y(f)
		if canFail {
			if err := prim.BinFailure(op.Bin, op.Type, b.word); err != nil {
				f.m.fail(st.at, "%s", failureText(err))
			}
		}
		if a.ref != nil || b.ref != nil {
			return f.m.differentiate(op, a, b)
		}
		return Value{word: g(a.word, b.word)}
	}
}

func failureText(err error) string {
	text := err.Error()
	return string(text[0]-'a'+'A') + text[1:] + "."
}

// equalWords is equality at a primitive type.
func equalWords(t prim.Type) func(x, y uint64) bool { return prim.CmpWord(prim.Eq, t) }

// fastOp2 compiles the operators that loops consist of without a call of a function of words, or returns nil.
func fastOp2(op types.ScalarOp, x, y eval) eval {
	switch {
	case op.Kind == types.BinaryOp && op.Type == prim.I64:
		return fastI64(op, x, y)
	case op.Kind == types.BinaryOp && op.Type == prim.I32:
		return fastI32(op, x, y)
	case op.Kind == types.BinaryOp && op.Type == prim.F64:
		return fastF64(op, x, y)
	case op.Kind == types.BinaryOp && op.Type == prim.F32:
		return fastF32(op, x, y)
	case op.Kind == types.CompareOp && op.Type.IsSigned():
		return fastCompare(op, x, y)
	default:
		return nil
	}
}

func fastI64(op types.ScalarOp, x, y eval) eval {
	switch op.Bin {
	case prim.Add:
		return func(f *frame) Value {
			a, b := x(f), y(f)
			if a.ref != nil || b.ref != nil {
				return f.m.differentiate(op, a, b)
			}
			return Value{word: a.word + b.word}
		}
	case prim.Sub:
		return func(f *frame) Value {
			a, b := x(f), y(f)
			if a.ref != nil || b.ref != nil {
				return f.m.differentiate(op, a, b)
			}
			return Value{word: a.word - b.word}
		}
	case prim.Mul:
		return func(f *frame) Value {
			a, b := x(f), y(f)
			if a.ref != nil || b.ref != nil {
				return f.m.differentiate(op, a, b)
			}
			return Value{word: a.word * b.word}
		}
	default:
		return nil
	}
}

func fastI32(op types.ScalarOp, x, y eval) eval {
	switch op.Bin {
	case prim.Add:
		return func(f *frame) Value {
			a, b := x(f), y(f)
			if a.ref != nil || b.ref != nil {
				return f.m.differentiate(op, a, b)
			}
			return Value{word: uint64(int32(a.word + b.word))}
		}
	case prim.Sub:
		return func(f *frame) Value {
			a, b := x(f), y(f)
			if a.ref != nil || b.ref != nil {
				return f.m.differentiate(op, a, b)
			}
			return Value{word: uint64(int32(a.word - b.word))}
		}
	case prim.Mul:
		return func(f *frame) Value {
			a, b := x(f), y(f)
			if a.ref != nil || b.ref != nil {
				return f.m.differentiate(op, a, b)
			}
			return Value{word: uint64(int32(a.word * b.word))}
		}
	default:
		return nil
	}
}

func fastF64(op types.ScalarOp, x, y eval) eval {
	switch op.Bin {
	case prim.Add:
		return func(f *frame) Value {
			a, b := x(f), y(f)
			if a.ref != nil || b.ref != nil {
				return f.m.differentiate(op, a, b)
			}
			return f64Value(f64Of(a) + f64Of(b))
		}
	case prim.Sub:
		return func(f *frame) Value {
			a, b := x(f), y(f)
			if a.ref != nil || b.ref != nil {
				return f.m.differentiate(op, a, b)
			}
			return f64Value(f64Of(a) - f64Of(b))
		}
	case prim.Mul:
		return func(f *frame) Value {
			a, b := x(f), y(f)
			if a.ref != nil || b.ref != nil {
				return f.m.differentiate(op, a, b)
			}
			return f64Value(f64Of(a) * f64Of(b))
		}
	default:
		return nil
	}
}

func fastF32(op types.ScalarOp, x, y eval) eval {
	switch op.Bin {
	case prim.Add:
		return func(f *frame) Value {
			a, b := x(f), y(f)
			if a.ref != nil || b.ref != nil {
				return f.m.differentiate(op, a, b)
			}
			return f32Value(f32Of(a) + f32Of(b))
		}
	case prim.Sub:
		return func(f *frame) Value {
			a, b := x(f), y(f)
			if a.ref != nil || b.ref != nil {
				return f.m.differentiate(op, a, b)
			}
			return f32Value(f32Of(a) - f32Of(b))
		}
	case prim.Mul:
		return func(f *frame) Value {
			a, b := x(f), y(f)
			if a.ref != nil || b.ref != nil {
				return f.m.differentiate(op, a, b)
			}
			return f32Value(f32Of(a) * f32Of(b))
		}
	default:
		return nil
	}
}

func f64Of(v Value) float64    { return math.Float64frombits(v.word) }
func f64Value(x float64) Value { return Value{word: math.Float64bits(x)} }
func f32Of(v Value) float32    { return math.Float32frombits(uint32(v.word)) }
func f32Value(x float32) Value { return Value{word: uint64(math.Float32bits(x))} }

func signed(v Value) int64 { return int64(v.word) }

// fastCompare compares signed integers of any width: canonical words are sign-extended. Derivatives take no part in it.
func fastCompare(op types.ScalarOp, x, y eval) eval {
	switch op.Cmp {
	case prim.Eq:
		return func(f *frame) Value { return boolValue(x(f).word == y(f).word) }
	case prim.Ne:
		return func(f *frame) Value { return boolValue(x(f).word != y(f).word) }
	case prim.Lt:
		return func(f *frame) Value { return boolValue(signed(x(f)) < signed(y(f))) }
	case prim.Le:
		return func(f *frame) Value { return boolValue(signed(x(f)) <= signed(y(f))) }
	case prim.Gt:
		return func(f *frame) Value { return boolValue(signed(x(f)) > signed(y(f))) }
	default:
		return func(f *frame) Value { return boolValue(signed(x(f)) >= signed(y(f))) }
	}
}

// equalExp compiles a comparison of values of any type.
func (s *scope) equalExp(e *types.Equal) eval {
	x, y := s.exp(e.X), s.exp(e.Y)
	t, _ := s.typeOf(e.X.Base().Type)
	negate := e.Negate
	return func(f *frame) Value { return boolValue(equal(t(f), x(f), y(f)) != negate) }
}

// equal compares two values of type t. Arrays of different shape differ.
func equal(t *rtype, x, y Value) bool {
	switch t.kind {
	case primType:
		return equalWords(t.prim)(x.word, y.word)
	case recordType:
		a, b := x.record().fields, y.record().fields
		for i, field := range t.fields {
			if !equal(field, a[i], b[i]) {
				return false
			}
		}
		return true
	case sumType:
		a, b := x.ref.(*sum), y.ref.(*sum)
		if a.ctor != b.ctor {
			return false
		}
		for i, arg := range t.ctors[a.ctor] {
			if !equal(arg, a.args[i], b.args[i]) {
				return false
			}
		}
		return true
	case arrayType:
		return equalArrays(t, x.array(), y.array())
	default:
		panic("interp: comparison of functions")
	}
}

func equalArrays(t *rtype, a, b *array) bool {
	if !equalShapes(a.shape, b.shape) {
		return false
	}
	if a.buf != nil && a.buf.kind != notPrimitive {
		eq := equalWords(a.buf.kind)
		for i := range product(a.shape) {
			if !eq(a.buf.get(a.off+i).word, b.buf.get(b.off+i).word) {
				return false
			}
		}
		return true
	}
	for i := range a.len() {
		if !equal(t.elem, a.at(i), b.at(i)) {
			return false
		}
	}
	return true
}
