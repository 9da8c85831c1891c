package check

import (
	"skald/frontend/source"
	"skald/frontend/syntax"
	"skald/frontend/types"
)

// Mention is a name where it is declared or used. Options.Mentioned hears of it: the typed program has no names of types and modules, and
// not all places of those of values (of sizes in types, say).
type Mention struct {
	Kind MentionKind
	Name string
	// At is where the name is, and Defined where it was declared: nowhere for what is built in.
	At, Defined source.Span
	// Type is what a type stands for; nil for the other kinds.
	Type types.Type
	// Sym is what a value's name means, whose type is known when its definition has been checked; nil for the other kinds, and for
	// operators that are built in.
	Sym *types.Symbol
}

// MentionKind says what a name means.
type MentionKind string

// The kinds of names: all but ValueName are resolved away.
const (
	ValueName   MentionKind = "value"
	TypeName    MentionKind = "type"
	ModuleName  MentionKind = "module"
	ModTypeName MentionKind = "module type"
)

// mention tells the caller of a name. It is told again where a functor is applied.
func (c *checker) mention(m Mention) {
	if c.mentioned != nil && !c.inPrelude(m.At) {
		c.mentioned(m)
	}
}

// mentionValue tells of a value's name where it is bound or used.
func (c *checker) mentionValue(name syntax.Name, b *binding) {
	if c.mentioned == nil {
		return
	}
	at := b.at
	if !at.Valid() && b.sym != nil {
		at = b.sym.At
	}
	c.mention(Mention{Kind: ValueName, Name: name.Text, At: name.At, Defined: at, Sym: b.sym})
}

// bind brings a value into scope and tells of its name.
func (c *checker) bind(s *scope, name syntax.Name, b *binding) *scope {
	c.mentionValue(name, b)
	return s.with(name.Text, b)
}

func (c *checker) mentionType(name syntax.Name, b *typeBinding) {
	if !b.broken {
		c.mention(Mention{Kind: TypeName, Name: name.Text, At: name.At, Defined: b.at, Type: b.typ})
	}
}

func (c *checker) mentionModule(name syntax.Name, b *binding) {
	c.mention(Mention{Kind: ModuleName, Name: name.Text, At: name.At, Defined: b.at})
}

func (c *checker) mentionModType(name syntax.Name, b *sigBinding) {
	c.mention(Mention{Kind: ModTypeName, Name: name.Text, At: name.At, Defined: b.at})
}
