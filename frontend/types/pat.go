package types

import (
	"skald/frontend/source"
	"skald/runtime/prim"
)

// PatInfo is what every pattern carries: the type of the values it takes, and its place.
type PatInfo struct {
	Type Type
	At   source.Span
}

// Base returns the pattern's PatInfo.
func (i *PatInfo) Base() *PatInfo { return i }

// Pat is a pattern.
//
//sumtype:decl
type Pat interface {
	isPat()
	Base() *PatInfo
}

// VarPat binds a variable.
type VarPat struct {
	PatInfo
	Sym *Symbol
}

// WildPat takes anything and binds nothing.
type WildPat struct{ PatInfo }

// RecordPat takes a record or tuple apart; it names all fields, in canonical order.
type RecordPat struct {
	PatInfo
	Fields []FieldPat
}

// FieldPat is the pattern for one field.
type FieldPat struct {
	Name string
	Pat  Pat
}

// LitPat takes one primitive value.
type LitPat struct {
	PatInfo
	Value prim.Value
}

// CtorPat takes values of one constructor of a sum type.
type CtorPat struct {
	PatInfo
	Ctor string
	Args []Pat
}

// AttrPat is a pattern with an attribute.
type AttrPat struct {
	PatInfo
	Attr Attr
	Pat  Pat
}

func (*VarPat) isPat()    {}
func (*WildPat) isPat()   {}
func (*RecordPat) isPat() {}
func (*LitPat) isPat()    {}
func (*CtorPat) isPat()   {}
func (*AttrPat) isPat()   {}
