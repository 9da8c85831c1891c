package check

import (
	"skald/frontend/source"
	"skald/frontend/syntax"
	"skald/frontend/types"
)

// Mention is a name that the typed program no longer has: it stands where it is declared or used. Options.Mentioned hears of it.
type Mention struct {
	Kind MentionKind
	Name string
	// At is where the name stands, and Defined where it was declared: nowhere for what is built in.
	At, Defined source.Span
	// Type is what a type stands for; nil for the other kinds.
	Type types.Type
}

// MentionKind says what a name means.
type MentionKind string

// The kinds of names that are resolved away.
const (
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
