package types

import "skald/frontend/source"

// Prog is a checked program: everything that its root file and what it imports define, and what they use of the prelude.
type Prog struct {
	// Defs are in an order in which each follows what it refers to (itself excepted, when it is recursive).
	Defs []*Def
	// NumSymbols is one more than the largest Symbol.ID.
	NumSymbols int
	// Warnings and errors are not here: they go to the diagnostic sink.
}

// Entries returns the entry points in source order.
func (p *Prog) Entries() []*Def {
	var entries []*Def
	for _, d := range p.Defs {
		if d.Entry != nil {
			entries = append(entries, d)
		}
	}
	return entries
}

// Def is a definition of a function or value, at top level or local. Sym.Type is the whole (curried) type; Sym.Params is
// TypeParams. A Def without Params is a value: computed once if it is at top level and has no TypeParams, else at each use.
type Def struct {
	Sym        *Symbol
	TypeParams []*TypeParam
	Params     []*Param
	// Ret is the type of the result. The existential sizes of a Def without Params at top level are in scope in all that follows it: they
	// are read off the shape of its value.
	Ret   RetType
	Body  Exp
	Attrs []Attr
	// Recursive says that Body refers to Sym.
	Recursive bool
	// Entry is set for an entry point.
	Entry *Entry
	// Doc is the text of the documentation comment.
	Doc string
	At  source.Span
}

// IsConstant reports whether d, a definition at top level, is a value that is computed once.
func (d *Def) IsConstant() bool { return len(d.Params) == 0 && len(d.TypeParams) == 0 }

// Entry is what an entry point shows to the outside.
type Entry struct {
	Name   string
	Params []EntryParam
	Result EntryType
}

// MapSizes applies f to the sizes in the types that e shows.
func (e *Entry) MapSizes(f func(Size) Size) *Entry {
	out := *e
	out.Params = make([]EntryParam, len(e.Params))
	for i, p := range e.Params {
		p.Type = MapSizes(p.Type, f)
		out.Params[i] = p
	}
	out.Result.Type = MapSizes(e.Result.Type, f)
	return &out
}

// EntryParam is one parameter of an entry point, with its name if the pattern has one.
type EntryParam struct {
	Name string
	EntryType
}

// EntryType is a type as the entry point's source wrote it: Text has abbreviations unexpanded ("" if none was written),
// Type is what it means.
type EntryType struct {
	Text    string
	Type    Type
	Unique  bool
	Written *Written // the same without sizes; nil if none was written
}
