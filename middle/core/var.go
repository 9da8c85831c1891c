package core

import "skald/runtime/prim"

// Var names a variable of one function. Variables are dense: a function with
// n variables uses 1..n, so facts about variables are slices indexed by Var.
// The zero Var means "no variable".
type Var int32

// Operand is what an expression takes as an argument: a variable, or, when
// Var is zero, a constant. It is comparable.
type Operand struct {
	Var   Var
	Const prim.Value
}

// V is the operand that reads variable v.
func V(v Var) Operand { return Operand{Var: v} }

// C is the constant operand v.
func C(v prim.Value) Operand { return Operand{Const: v} }

// Int is an i64 constant: the type of sizes and indices.
func Int(n int64) Operand { return C(prim.MakeI64(n)) }

// Bool is a boolean constant.
func Bool(b bool) Operand { return C(prim.MakeBool(b)) }

// IsConst reports whether o is a constant.
func (o Operand) IsConst() bool { return o.Var == 0 }

// IsVar reports whether o is the variable v.
func (o Operand) IsVar(v Var) bool { return o.Var == v && v != 0 }

// ConstInt returns the value of an integer constant; ok is false for variables
// and for constants of other types.
func (o Operand) ConstInt() (n int64, ok bool) {
	if o.Var != 0 || !o.Const.Type().IsInt() {
		return 0, false
	}
	return o.Const.Int(), true
}

// Vars makes operands of variables.
func Vars(vs []Var) []Operand {
	ops := make([]Operand, len(vs))
	for i, v := range vs {
		ops[i] = V(v)
	}
	return ops
}

// VarsOf lists the variables that operands are.
func VarsOf(ops []Operand) []Var {
	vs := make([]Var, len(ops))
	for i, o := range ops {
		vs[i] = o.Var
	}
	return vs
}
