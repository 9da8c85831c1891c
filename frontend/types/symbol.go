package types

import (
	"skald/frontend/source"
)

// Symbol is a variable of any kind: two occurrences are the same variable exactly when they point at the same Symbol.
type Symbol struct {
	// Name is the name in the source, without qualifiers; names made by the compiler say what they stand for.
	Name string
	// ID is unique within a Prog and dense from 0, in the order in which symbols were made.
	ID   int
	Kind SymbolKind
	// Type is the type of the variable; for a polymorphic one it mentions Params.
	Type Type
	// Params are the type and size parameters of a polymorphic definition, in source order; else nil.
	Params []*TypeParam
	// At is where the name is bound.
	At source.Span
}

// SymbolKind says what binds a symbol.
type SymbolKind uint8

// What a Symbol may be bound by.
const (
	Local     SymbolKind = iota // a pattern, a loop or a local function
	Global                      // a Def of the Prog
	SizeParam                   // a size parameter of a definition, or a size binder of a pattern
	ExtSize                     // an existential size: the Ext list of an expression or of a RetType
)

// TypeParam is a type or size parameter of a definition, abstract type or abbreviation. A size parameter has Size set; a
// type parameter is identified by its pointer.
type TypeParam struct {
	Name   string
	Size   *Symbol // non-nil for a size parameter [n]
	Lifted Liftedness
	At     source.Span
}

// IsSize reports whether p is a size parameter.
func (p *TypeParam) IsSize() bool { return p.Size != nil }
