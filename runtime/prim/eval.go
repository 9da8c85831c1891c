package prim

import (
	"errors"
	"fmt"
)

// The ways in which an operator can fail at run time. Their texts are part of what users see.
var (
	ErrDivisionByZero   = errors.New("division by zero")
	ErrNegativeExponent = errors.New("negative exponent")
)

// BinFailure reports why the operator fails at type t for a right operand with canonical word y, or nil. No operator's
// failure depends on the left operand.
func BinFailure(op BinOp, t Type, y uint64) error {
	if !binTable[op].fails.has(t) {
		return nil
	}
	switch {
	case op == Pow && int64(y) < 0:
		return ErrNegativeExponent
	case op != Pow && y == 0:
		return ErrDivisionByZero
	default:
		return nil
	}
}

// EvalUn applies a unary operator. It panics if the operator is not defined at the operand's type.
func EvalUn(op UnOp, x Value) Value {
	f, ok := UnWord(op, x.typ)
	if !ok {
		panic(fmt.Sprintf("prim.EvalUn: %s is not defined at %s", op, x.typ))
	}
	return Value{x.typ, f(x.word)}
}

// EvalBin applies a binary operator; the error is ErrDivisionByZero or ErrNegativeExponent. It panics if the operands'
// types differ or the operator is not defined there.
func EvalBin(op BinOp, x, y Value) (Value, error) {
	f, ok := BinWord(op, x.typ)
	if !ok || x.typ != y.typ {
		panic(fmt.Sprintf("prim.EvalBin: %s is not defined at %s and %s", op, x.typ, y.typ))
	}
	if err := BinFailure(op, x.typ, y.word); err != nil {
		return Value{}, err
	}
	return Value{x.typ, f(x.word, y.word)}, nil
}

// EvalCmp applies a comparison. It panics if the operands' types differ.
func EvalCmp(op CmpOp, x, y Value) bool {
	if x.typ != y.typ {
		panic(fmt.Sprintf("prim.EvalCmp: %s of %s and %s", op, x.typ, y.typ))
	}
	return cmpWords[x.typ][op](x.word, y.word)
}

// EvalFunc applies a function at an instance. It panics if there is no such instance, or if the arguments' number or
// types are not those of Params.
func EvalFunc(f Func, instance Type, args ...Value) Value {
	if !f.Accepts(instance) || len(args) != f.Arity() {
		panic(fmt.Sprintf("prim.EvalFunc: no %s with %d arguments at %s", f, len(args), instance))
	}
	for i, t := range f.Params(instance) {
		if args[i].typ != t {
			panic(fmt.Sprintf("prim.EvalFunc: %s at %s: argument %d is of type %s", f, instance, i, args[i].typ))
		}
	}
	var w uint64
	switch len(args) {
	case 1:
		w = fun1[instance][f](args[0].word)
	case 2:
		w = fun2[instance][f](args[0].word, args[1].word)
	default:
		w = fun3[instance][f](args[0].word, args[1].word, args[2].word)
	}
	return Value{f.Result(instance), w}
}
