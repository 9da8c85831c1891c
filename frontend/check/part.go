package check

import (
	"slices"

	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/frontend/syntax"
	"skald/frontend/types"
)

// Part is a declaration of a version of a file.
type Part struct {
	Dec syntax.Dec
	// At is what was checked: the declaration and what precedes it, in the version that was checked. Start is where it begins now.
	At    source.Span
	Start int
	// Diagnostics, Mentions and Defs are what checking reported and found, of imported files as well.
	Diagnostics []*diag.Diagnostic
	Mentions    []Mention
	Defs        []*types.Def
	// before is what was in scope before it.
	before *scope
	env    *Incremental

	// words are the names in it, without those in modules.
	words map[string]bool
	again []func(*body)
	names map[string]meaning
	opens bool
	// repeats are the names that it declares and its module had already, with the place.
	repeats map[string]source.Span
	// parked are the names that keep it from being checked; nil if it was checked: see Note [Parked declarations].
	parked map[string]*types.Symbol
	// postponed says that it must be checked again, which has not been done yet, and tainted that types may be others then.
	postponed, tainted bool
	// modules are the bodies of modules in it, as they are in its text, and params what their parameters are.
	modules []*moduleBody
	params  []*module
	// errors is how many errors there are in it, with those in modules.
	errors int
}

// meaning is what a declaration says of a name: as far as it is known by text, or "" where types may be made of it.
type meaning struct {
	text string
	val  *binding
	at   source.Span
	// index is the place that the declaration had.
	index int
	// former are the last meanings that it had before: see Note [Parked declarations].
	former []former
}

// end is where the part ends now.
func (p *Part) end() int { return p.Start + int(p.At.End-p.At.Start) }

// at is the part as it would be if it were read from a version of the file, at a place; it has no tree.
func (p *Part) at(file *source.File, start int) *Part {
	return &Part{At: file.Span(start, start+int(p.At.End-p.At.Start)), Start: start, env: p.env}
}

// tree is the part's declaration. One that was passed over when the file was parsed is parsed now.
func (p *Part) tree(sink *diag.Sink) syntax.Dec {
	if p.Dec == nil {
		if decs := syntax.ParseRange(p.At, sink).Decs; len(decs) == 1 {
			p.Dec = decs[0]
		}
	}
	return p.Dec
}

// movedBy is the part a number of bytes further on.
func (p *Part) movedBy(n int) *Part {
	moved := *p
	moved.Start += n
	return &moved
}

// move notes that the part is somewhere else now, with the declarations of its modules.
func (p *Part) move(start int) {
	shift := start - p.Start
	p.Start = start
	for _, m := range p.modules {
		for _, inner := range m.parts {
			inner.move(inner.Start + shift)
		}
	}
}

// unfinished reports whether the part, or a declaration of a module in it, is to be checked again.
func (p *Part) unfinished() bool {
	if p.postponed {
		return true
	}
	for _, m := range p.modules {
		if slices.ContainsFunc(m.parts, (*Part).unfinished) {
			return true
		}
	}
	return false
}

// mentions reports whether one of some names is in the part.
func (p *Part) mentions(names map[string]bool) bool {
	if mentionsAny(p.words, names) {
		return true
	}
	for _, m := range p.modules {
		for _, inner := range m.parts {
			if inner.mentions(names) {
				return true
			}
		}
	}
	return false
}

// Describe is a value as a specification in a module type.
func Describe(sym *types.Symbol) string { return valueText(sym.Name, sym.Params, sym.Type) }

// Lookup describes a name in scope before a part as a specification, or is empty.
func (p *Part) Lookup(module, name string) (text string, at source.Span) {
	s := p.before
	env := &Env{c: p.env.c, b: &body{scope: s}}
	if module != "" {
		if s = env.module(module); s == nil {
			return "", source.Span{}
		}
	}
	var b *binding
	var sink diag.Sink
	env.run(&sink, func() {
		if b = s.ownVal(name); b == nil && module == "" {
			b = s.val(name)
		}
	})
	switch {
	case b == nil || b.broken:
		return "", source.Span{}
	case b.mod != nil:
		return "module " + name, b.at
	case b.sym == nil:
		return "an operator that is built in", b.at
	case b.sym.Type == nil:
		return "", b.at
	default:
		return Describe(b.sym), b.sym.At
	}
}

// Names lists the values and modules in scope before a part, for completion; with module, the ones in that module.
func (p *Part) Names(module string) []string {
	return (&Env{c: p.env.c, b: &body{scope: p.before}}).Names(module)
}
