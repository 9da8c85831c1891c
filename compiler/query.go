package compiler

import (
	"strings"

	"skald/frontend/check"
	"skald/frontend/source"
	"skald/frontend/types"
)

// Found is what a program has at a place.
type Found struct {
	// Name is the name there; empty for another expression.
	Name string
	// Kind says what the name means, if not a value.
	Kind check.MentionKind
	// At is the place of the name or expression, and Defined is where the name is bound.
	At, Defined source.Span
	// Type is the type there: of a use of a polymorphic name, the type that it has in this place; of a type, what it stands for;
	// nil for a module.
	Type types.Type
}

// Query finds what a checked program has at a line and column of a file, which counts characters from 1: the name that is
// there, or else the smallest expression around. In the body of a parametric module it finds what its first application has there.
// Names of types and modules are found among the mentions that CheckOptions.Mentioned heard of.
func Query(prog *types.Prog, mentions []check.Mention, file string, at source.Position) (found Found, ok bool) {
	q := &query{file: file, at: at}
	for _, m := range mentions {
		if m.Kind != check.ValueName {
			q.offer(Found{Name: m.Name, Kind: m.Kind, At: m.At, Defined: m.Defined, Type: m.Type})
		}
	}
	for _, d := range prog.Defs {
		q.def(d)
	}
	return q.found, q.found.At.Valid()
}

// query is a search for the smallest thing around a place.
type query struct {
	file  string
	at    source.Position
	found Found
}

// covers reports whether a span is around the place.
func (q *query) covers(s source.Span) bool {
	if !s.Valid() || s.File.Name() != q.file {
		return false
	}
	offset := int32(s.File.Offset(q.at))
	return s.File.Position(int(offset)) == q.at && s.Start <= offset && offset < s.End
}

// offer takes something if it is around the place and smaller than what was found before. A name wins over
// an expression of the same size.
func (q *query) offer(f Found) {
	if !q.covers(f.At) || f.Type == nil && f.Kind == "" {
		return
	}
	old := q.found
	smaller := !old.At.Valid() || f.At.End-f.At.Start < old.At.End-old.At.Start
	if smaller || f.At == old.At && old.Name == "" {
		q.found = f
	}
}

// symbol offers the place where a variable is bound. Those that the checker made do not stand there.
func (q *query) symbol(s *types.Symbol) {
	if s != nil && s.At.Text() == s.Name {
		q.offer(Found{Name: s.Name, At: s.At, Defined: s.At, Type: s.Type})
	}
}

func (q *query) def(d *types.Def) {
	if d.At.Valid() && strings.HasPrefix(d.At.File.Name(), "/prelude/") {
		return
	}
	q.symbol(d.Sym)
	for _, p := range d.TypeParams {
		q.symbol(p.Size)
	}
	q.params(d.Params)
	types.Walk(d.Body, q.exp)
}

func (q *query) params(ps []*types.Param) {
	for _, p := range ps {
		for _, s := range types.PatSymbols(p.Pat) {
			q.symbol(s)
		}
	}
}

// exp looks at an expression. Not all that the checker makes lies within the expression around it, so nothing is passed over.
func (q *query) exp(e types.Exp) bool {
	base := e.Base()
	q.offer(Found{At: base.At, Type: base.Type})
	switch e := e.(type) { //nolint:gochecksumtype // the others bind and name nothing
	case *types.Ref:
		if strings.HasSuffix(base.At.Text(), e.Sym.Name) {
			q.offer(Found{Name: e.Sym.Name, At: base.At, Defined: e.Sym.At, Type: base.Type})
		}
	case *types.LetFun:
		q.params(e.Def.Params)
	default:
	}
	for _, s := range types.BoundHere(e) {
		q.symbol(s)
	}
	return true
}
