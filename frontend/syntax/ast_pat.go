package syntax

import "skald/frontend/source"

// A Pat is a pattern.
//
//	Pat ::= PatName | PatWild | PatParens | PatTuple | PatRecord | PatLit | PatConstr
//	      | PatAscript | PatAttr
//
//sumtype:decl
type Pat interface {
	Span() source.Span
	isPat()
}

// PatName binds a name; (+) binds an operator.
type PatName struct {
	Node
	Name Name
}

// PatWild matches anything: _.
type PatWild struct{ Node }

// PatParens is a pattern in parentheses.
type PatParens struct {
	Node
	Body Pat
}

// PatTuple matches a tuple of no or several elements.
type PatTuple struct {
	Node
	Elems []Pat
}

// PatRecord matches a record: {a = p, b, c: t}.
type PatRecord struct {
	Node
	Fields []*RecordPatField
}

// A RecordPatField is a field of a record pattern. Of a field without a
// pattern, Pat is the [PatName] (perhaps in a [PatAscript]) that it stands for,
// and Punned is set.
type RecordPatField struct {
	Node
	Name   Name
	Pat    Pat
	Punned bool
}

// PatLit matches a number, character or truth value; Neg says that a minus
// sign precedes it.
type PatLit struct {
	Node
	Neg bool
	Lit Exp // *IntLit, *FloatLit, *CharLit or *BoolLit
}

// PatConstr matches a constructor and its payload: #c p q.
type PatConstr struct {
	Node
	Name Name
	Args []Pat
}

// PatAscript is a pattern with its type: p : t.
type PatAscript struct {
	Node
	Pat  Pat
	Type TypeExp
}

// PatAttr is a pattern with an attribute: #[a] p.
type PatAttr struct {
	Node
	Attr *Attr
	Pat  Pat
}

func (*PatName) isPat()    {}
func (*PatWild) isPat()    {}
func (*PatParens) isPat()  {}
func (*PatTuple) isPat()   {}
func (*PatRecord) isPat()  {}
func (*PatLit) isPat()     {}
func (*PatConstr) isPat()  {}
func (*PatAscript) isPat() {}
func (*PatAttr) isPat()    {}
