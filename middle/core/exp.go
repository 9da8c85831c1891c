package core

import "skald/runtime/prim"

// Exp is what a statement computes.
//
//	exp ::= scalar | array | control | soac | kernel | memory
//
//sumtype:decl
type Exp interface{ isExp() }

// Use is the value of its operand; for an array, a second name for it.
type Use struct{ X Operand }

// Un applies a unary operator at Type.
type Un struct {
	Op   prim.UnOp
	Type prim.Type
	X    Operand
}

// Bin applies a binary operator; operands and result have Type.
type Bin struct {
	Op   prim.BinOp
	Type prim.Type
	X, Y Operand
}

// Cmp compares operands of Type and gives a bool.
type Cmp struct {
	Op   prim.CmpOp
	Type prim.Type
	X, Y Operand
}

// Conv converts between primitive types.
type Conv struct {
	From, To prim.Type
	X        Operand
}

// CallFunc calls a built-in function at Type (of its first argument).
type CallFunc struct {
	Func prim.Func
	Type prim.Type
	Args []Operand
}

// Assert fails the program with a message when Cond is false; else it gives a
// certificate, which statements that rely on Cond list in Aux.Certs.
type Assert struct {
	Cond Operand
	Msg  []MsgPart
}

// MsgPart is a piece of a message: Text, or the value of X when IsOp.
type MsgPart struct {
	Text string
	X    Operand
	IsOp bool
}

// If runs one of two bodies. Results that differ in size return their sizes
// too, which the statement's Dst binds.
type If struct {
	Cond       Operand
	Then, Else *Body
}

// Switch runs the case whose value is On, an integer, or else Default.
type Switch struct {
	On      Operand
	Cases   []Case
	Default *Body
}

// Case is one alternative of a Switch.
type Case struct {
	Value prim.Value
	Body  *Body
}

// Loop runs Body again and again; Body's results are the next values of
// Params, and the last values are the loop's results. The type of a parameter
// may mention other parameters.
type Loop struct {
	Params []Param
	Init   []Operand
	// For counts Index from 0 below Bound; a While loop has no Index and runs
	// as long as its parameter While is true.
	Index Param
	Bound Operand
	While Var
	Body  *Body
}

// IsFor reports whether l counts.
func (l *Loop) IsFor() bool { return l.While == 0 }

// Call calls a function of the program.
type Call struct {
	Fun  string
	Args []Operand
}

func (*Use) isExp()      {}
func (*Un) isExp()       {}
func (*Bin) isExp()      {}
func (*Cmp) isExp()      {}
func (*Conv) isExp()     {}
func (*CallFunc) isExp() {}
func (*Assert) isExp()   {}
func (*If) isExp()       {}
func (*Switch) isExp()   {}
func (*Loop) isExp()     {}
func (*Call) isExp()     {}
