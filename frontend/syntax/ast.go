package syntax

import (
	"strings"

	"skald/frontend/source"
)

// Node is embedded in every node of the tree and holds where it was written.
type Node struct{ At source.Span }

// Span is where the node was written.
func (n *Node) Span() source.Span { return n.At }

// A Name is an identifier or operator where it was written. In a binding
// position an operator's name is without its parentheses or backticks.
type Name struct {
	Text string
	At   source.Span
}

// Span is where the name was written.
func (n Name) Span() source.Span { return n.At }

// A QualName is a name with the names before it that end in dots, as written:
// M.N.x has Quals M, N and Name x. Whether these are modules, or the first is a
// record value and the others fields of it, only scoping can tell.
type QualName struct {
	Quals []Name
	Name  Name
}

// Span is where the whole name was written.
func (q QualName) Span() source.Span {
	if len(q.Quals) == 0 {
		return q.Name.At
	}
	return q.Quals[0].At.To(q.Name.At)
}

// String is the name as it was written, without space.
func (q QualName) String() string {
	if len(q.Quals) == 0 {
		return q.Name.Text
	}
	var b strings.Builder
	for _, n := range q.Quals {
		b.WriteString(n.Text)
		b.WriteByte('.')
	}
	b.WriteString(q.Name.Text)
	return b.String()
}

// A Doc is a documentation comment: lines that begin with --, the first with
// --|. Text is without the comment marks.
type Doc struct {
	Node
	Text string
}

// A File is a parsed source file.
type File struct {
	Source *source.File
	// Doc is the comment about the file as a whole, or nil: the first of two
	// documentation comments at its beginning.
	Doc  *Doc
	Decs []Dec
	// Comments are all ordinary comments, in order; the tree does not refer
	// to them.
	Comments []Comment
}

// A Comment is one line comment, with its leading dashes.
type Comment struct {
	Text string
	At   source.Span
}

// An Attr is an attribute, #[name], #[3] or #[name(attributes)].
type Attr struct {
	Node
	// Name is the attribute's name, or empty when it is an integer.
	Name Name
	// Int is the integer of an attribute that is one, or nil.
	Int *IntLit
	// Args are the attributes in parentheses; Call tells f() from f.
	Args []*Attr
	Call bool
}

// Liftedness says which types an abstract type or a type parameter stands for.
type Liftedness uint8

// The kinds of liftedness.
const (
	// Unlifted: types that may stand in arrays.
	Unlifted Liftedness = iota
	// SizeLifted, written ~: also types with existential sizes.
	SizeLifted
	// Lifted, written ^: also functions.
	Lifted
)

// String is the mark in source text.
func (l Liftedness) String() string { return [...]string{"", "~", "^"}[l] }

// A TypeParam is a size parameter [n] or a type parameter 't, '~t, '^t.
type TypeParam struct {
	Node
	Name Name
	// Size tells [n] from 'n; Lift is for the latter.
	Size bool
	Lift Liftedness
}
