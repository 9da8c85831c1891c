package syntax

import "skald/frontend/source"

// A TypeExp is a type expression.
//
//	TypeExp ::= TypeVar | TypeParens | TypeTuple | TypeRecord | TypeArray | TypeSum
//	          | TypeArrow | TypeUnique | TypeApply | TypeExists
//
//sumtype:decl
type TypeExp interface {
	Span() source.Span
	isTypeExp()
}

// TypeVar is a type's name; the primitive types are names like others.
type TypeVar struct {
	Node
	Name QualName
}

// TypeParens is a type in parentheses.
type TypeParens struct {
	Node
	Body TypeExp
}

// TypeTuple is a tuple of no or several types.
type TypeTuple struct {
	Node
	Elems []TypeExp
}

// TypeRecord is a record: {a: t, 1: u}.
type TypeRecord struct {
	Node
	Fields []*TypeField
}

// A TypeField is a field of a record type.
type TypeField struct {
	Node
	Name Name
	Type TypeExp
}

// TypeArray is an array of one dimension: [e]t.
type TypeArray struct {
	Node
	Size *SizeExp
	Elem TypeExp
}

// A SizeExp is a size in brackets, [e], or, when Exp is nil, the anonymous [].
type SizeExp struct {
	Node
	Exp Exp // or nil
}

// TypeSum is a sum type: #a t u | #b.
type TypeSum struct {
	Node
	Clauses []*TypeClause
}

// A TypeClause is one constructor of a sum type; its name is without the #.
type TypeClause struct {
	Node
	Name    Name
	Payload []TypeExp
}

// TypeArrow is a function type: a -> b or (x: a) -> b.
type TypeArrow struct {
	Node
	Param Name // empty when the parameter has no name
	From  TypeExp
	To    TypeExp
}

// TypeUnique is a type whose value is consumed or fresh: *t.
type TypeUnique struct {
	Node
	Elem TypeExp
}

// TypeApply is a type constructor with all of its arguments: t [n] a.
type TypeApply struct {
	Node
	Fun  TypeExp
	Args []TypeArg
}

// A TypeArg is an argument of a type constructor: either Size or Type is set.
type TypeArg struct {
	Size *SizeExp
	Type TypeExp
}

// Span is where the argument was written.
func (a TypeArg) Span() source.Span {
	if a.Size != nil {
		return a.Size.Span()
	}
	return a.Type.Span()
}

// TypeExists binds sizes that only the value knows: ?[n][m].t.
type TypeExists struct {
	Node
	Sizes []Name
	Body  TypeExp
}

func (*TypeVar) isTypeExp()    {}
func (*TypeParens) isTypeExp() {}
func (*TypeTuple) isTypeExp()  {}
func (*TypeRecord) isTypeExp() {}
func (*TypeArray) isTypeExp()  {}
func (*TypeSum) isTypeExp()    {}
func (*TypeArrow) isTypeExp()  {}
func (*TypeUnique) isTypeExp() {}
func (*TypeApply) isTypeExp()  {}
func (*TypeExists) isTypeExp() {}
