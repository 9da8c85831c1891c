package types

import (
	"strconv"

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

// Supply makes new symbols for a pass that rewrites a Prog, and names for the definitions that it makes.
type Supply struct {
	next  int
	names map[string]int // how often a name was asked for, or 1 where it was given as a variant of another
}

// NewSupply returns a supply of symbols that p does not have.
func NewSupply(p *Prog) *Supply { return &Supply{next: p.NumSymbols, names: map[string]int{}} }

// NumSymbols is what a Prog that has the new symbols says in its field of that name.
func (u *Supply) NumSymbols() int { return u.next }

// Like makes a symbol with the name, kind and place of s, and with type t.
func (u *Supply) Like(s *Symbol, t Type) *Symbol {
	out := &Symbol{Name: s.Name, ID: u.next, Kind: s.Kind, Type: t, At: s.At}
	u.next++
	return out
}

// Local makes a local variable.
func (u *Supply) Local(name string, t Type, at source.Span) *Symbol {
	return u.Like(&Symbol{Name: name, Kind: Local, At: at}, t)
}

// Name returns base, or base with a number where base has been given away.
func (u *Supply) Name(base string) string {
	for {
		n := u.names[base]
		u.names[base] = n + 1
		if n == 0 {
			return base
		}
		if name := base + "_" + strconv.Itoa(n); u.names[name] == 0 {
			u.names[name] = 1
			return name
		}
	}
}
