package check

import (
	"slices"
	"strings"

	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/frontend/syntax"
	"skald/frontend/types"
)

// Note [Checking again]
// ~~~~~~~~~~~~~~~~~~~~~
// An editor has a file checked at each key, and most keys change the inside of one definition. So a file is kept as its declarations, each
// with what it said and what it brought into scope. A declaration of a new version is checked again if its text is new, or if it has a word
// that is the name of something that means another thing now. A definition whose type has come out as before means the same to those who
// use it: it keeps its symbol, and goes no further. That does not go for whatever types may be made of: types, modules, module
// types and numbers that may be sizes. What mentions these is checked again, and so is what mentions that, whatever its type.
// After `open` or an import that has changed, everything is checked again.
//
// Places of declarations that were not checked again are those of the version in which they were; Part.Moved returns the present ones.

// Incremental checks the versions of a file, one after the other, and of each only what is new. It belongs to one goroutine at a time.
type Incremental struct {
	loader Loader
	path   string
	c      *checker
	text   string // of the version that parts are of
	parts  []*Part
	after  *scope // of all parts
	heard  *Part
	checks int
}

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

	words   map[string]bool
	again   []func(*body)
	names   map[string]meaning
	opens   bool
	repeats bool
}

// meaning is what a declaration says of a name: as far as it is known by text, or "" where types may be made of it.
type meaning struct {
	text string
	val  *binding
	at   source.Span
	// index is the place that the declaration had.
	index int
}

// NewIncremental makes a checker for the versions of the file at path.
func NewIncremental(loader Loader, path string) *Incremental {
	x := &Incremental{loader: loader, path: path}
	x.Reset()
	return x
}

// Reset forgets everything, so that the next version is checked from its beginning: because a file that it imports has changed.
func (x *Incremental) Reset() {
	x.c = newChecker(x.loader, nil)
	x.c.mentioned = func(m Mention) {
		if x.heard != nil {
			x.heard.Mentions = append(x.heard.Mentions, m)
		}
	}
	x.c.files[strings.TrimSuffix(x.path, ".fut")] = &loadedFile{}
	x.text, x.parts, x.checks, x.after = "", nil, 0, x.c.prelude
}

// Checks is how many declarations were checked since the beginning: what they leave behind is kept until Reset.
func (x *Incremental) Checks() int { return x.checks }

// Check checks a version. If it cannot be parsed, nothing is checked: parts are those whose text has not changed, and the diagnostics
// are about syntax. Otherwise each part has its own.
func (x *Incremental) Check(file *source.File) (parts []*Part, said []*diag.Diagnostic) {
	var sink diag.Sink
	next := x.parse(file, &sink)
	same := x.matching(next)
	if sink.HasErrors() {
		for i, old := range same {
			if old != nil {
				moved := *old
				moved.Start = next[i].Start
				parts = append(parts, &moved)
			}
		}
		return parts, sink.Sorted()
	}
	x.run(next, same)
	x.text = file.Text()
	return x.parts, sink.Sorted()
}

// parse makes parts of the declarations of a version. Those that lie before and behind what has changed are not parsed again, but for
// the ones next to it.
func (x *Incremental) parse(file *source.File, sink *diag.Sink) []*Part {
	text := file.Text()
	before, behind := sameEnds(x.text, text)
	first, last := 0, len(x.parts)
	for first < last && x.parts[first].end() <= before {
		first++
	}
	for last > first && x.parts[last-1].Start >= len(x.text)-behind {
		last--
	}
	first, last = max(first-1, 0), min(last+1, len(x.parts))
	from, to := 0, len(text)
	if first < last && first > 0 {
		from = x.parts[first].Start
	}
	moved := len(text) - len(x.text)
	if last < len(x.parts) {
		to = x.parts[last].Start + moved
	}
	if from > to || len(x.parts) == 0 {
		first, last, from, to = 0, len(x.parts), 0, len(text)
	}
	var next []*Part
	for _, p := range x.parts[:first] {
		next = append(next, p.at(file, p.Start))
	}
	next = append(next, x.split(file.Span(from, to), syntax.ParseRange(file.Span(from, to), sink))...)
	for _, p := range x.parts[last:] {
		next = append(next, p.at(file, p.Start+moved))
	}
	return next
}

// sameEnds is how many bytes two texts have in common at their beginnings, and at their ends apart from these.
func sameEnds(a, b string) (before, behind int) {
	n := min(len(a), len(b))
	for before < n && a[before] == b[before] {
		before++
	}
	n -= before
	for behind < n && a[len(a)-1-behind] == b[len(b)-1-behind] {
		behind++
	}
	return before, behind
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

// split makes a part of each declaration in a range, with the text between it and the one before.
func (x *Incremental) split(at source.Span, tree *syntax.File) []*Part {
	parts := make([]*Part, len(tree.Decs))
	start := int(at.Start)
	for i, d := range tree.Decs {
		end := int(d.Span().End)
		parts[i] = &Part{Dec: d, At: at.File.Span(start, end), Start: start, env: x}
		start = end
	}
	return parts
}

// matching finds for each part the one of the last version with the same text, in order.
func (x *Incremental) matching(next []*Part) []*Part {
	same := make([]*Part, len(next))
	lo, end := 0, len(next)
	for lo < len(next) && lo < len(x.parts) && next[lo].At.Text() == x.parts[lo].At.Text() {
		same[lo] = x.parts[lo]
		lo++
	}
	old := len(x.parts)
	for end > lo && old > lo && next[end-1].At.Text() == x.parts[old-1].At.Text() {
		end--
		old--
		same[end] = x.parts[old]
	}
	places := map[string][]int{}
	for j := lo; j < old; j++ {
		text := x.parts[j].At.Text()
		places[text] = append(places[text], j)
	}
	from := lo
	for i := lo; i < end; i++ {
		list := places[next[i].At.Text()]
		n, _ := slices.BinarySearch(list, from)
		if n < len(list) {
			same[i] = x.parts[list[n]]
			from = list[n] + 1
		}
	}
	return same
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

// Last is the part that was last at a byte, as it was when the file could be parsed; none if that is not known.
func (x *Incremental) Last(offset int) []*Part {
	for _, p := range x.parts {
		if offset <= p.end() {
			return []*Part{p}
		}
	}
	return x.parts[max(len(x.parts)-1, 0):]
}

// After is what follows the last part: nothing but what is in scope there.
func (x *Incremental) After() *Part { return &Part{env: x, before: x.after} }
