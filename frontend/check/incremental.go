package check

import (
	"slices"
	"strings"

	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/frontend/syntax"
	"skald/frontend/types"
	"skald/runtime/prim"
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
// Places of declarations that were not checked again are those of the version in which they were; Part.Moved gives the present ones.

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
	// At is what was checked: the declaration and what stands before it, in the version that was checked. Start is where it begins now.
	At    source.Span
	Start int
	// Diagnostics, Mentions and Defs are what checking gave, of imported files as well.
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

// update is the state of going from one version to the next.
type update struct {
	*Incremental
	b *body
	// gone are what the names of declarations meant that are not in the new version as they were.
	gone map[string]meaning
	// changed are the names that mean something else than they did; hard are those of them that types may be made of.
	changed, hard map[string]bool
	// all says that everything may have changed.
	all bool
}

// run makes the new version of parts; same are those of the last version that have the same text.
func (x *Incremental) run(next, same []*Part) {
	u := &update{Incremental: x, b: newBody(x.c.prelude, x.path), gone: map[string]meaning{}, changed: map[string]bool{}, hard: map[string]bool{}}
	u.b.root = true
	index := map[*Part]int{}
	for i, p := range x.parts {
		index[p] = i
	}
	kept := make([]bool, len(x.parts))
	until := make([]int, len(next)) // the place of the next declaration with the same text
	for i, bound := len(next)-1, len(x.parts); i >= 0; i-- {
		until[i] = bound
		if same[i] != nil {
			bound = index[same[i]]
			kept[bound] = true
		}
	}
	for i, p := range x.parts {
		if !kept[i] {
			u.forget(p, i)
		}
	}
	old := 0
	for i, p := range next {
		s := same[i]
		if s == nil {
			u.check(p, until[i])
			continue
		}
		for ; old < index[s]; old++ {
			if !kept[old] {
				u.remove(x.parts[old], old)
			}
		}
		old++
		if !u.keep(s) {
			u.forget(s, index[s])
			u.check(p, until[i])
			continue
		}
		s.Start = p.Start
		next[i] = s
	}
	x.parts, x.after = next, u.b.scope
}

// forget remembers what the names of a declaration meant that is checked again, or gone.
func (u *update) forget(p *Part, index int) {
	for name, m := range p.names {
		m.index = index
		u.gone[name] = m
	}
}

// remove notes that a declaration is not where it was: those names of it that nothing in its place declares mean something else now.
func (u *update) remove(p *Part, index int) {
	u.all = u.all || p.opens
	for name := range p.names {
		if m, gone := u.gone[name]; gone && m.index == index {
			u.changed[plain(name)] = true
			u.hard[plain(name)] = u.hard[plain(name)] || m.text == ""
			delete(u.gone, name)
		}
	}
}

// keep brings what a declaration declares into scope as it is, if it need not be checked again.
func (u *update) keep(p *Part) bool {
	if u.all || p.repeats || mentionsAny(p.words, u.changed) {
		return false
	}
	for name := range p.names {
		if _, taken := u.b.defined[name]; taken {
			return false
		}
	}
	for name, m := range p.names {
		u.b.defined[name] = m.at
	}
	p.before = u.b.scope
	for _, again := range p.again {
		again(u.b)
	}
	return true
}

func mentionsAny(words, names map[string]bool) bool {
	if len(names) < len(words) {
		words, names = names, words
	}
	for w := range words {
		if names[w] {
			return true
		}
	}
	return false
}

// check checks a declaration. Those of the last version from a place on are not what it stands for.
func (u *update) check(p *Part, until int) {
	u.checks++
	var sink diag.Sink
	if p.tree(&sink) == nil {
		return
	}
	c := u.c
	c.sink, u.heard = &sink, p
	p.before, p.names, p.words, p.opens = u.b.scope, map[string]meaning{}, words(p.At), opens(p.Dec)
	names := declared(p.Dec)
	for _, n := range names {
		_, taken := u.b.defined[n.Text]
		p.repeats = p.repeats || taken
	}
	u.b.added = func(again func(*body)) { p.again = append(p.again, again) }
	c.prog.Defs = nil
	c.dec(u.b, p.Dec)
	p.Diagnostics, p.Defs = sink.Sorted(), c.prog.Defs
	u.b.added, u.heard, c.sink, c.prog.Defs = nil, nil, nil, nil
	u.all = u.all || p.opens
	tainted := mentionsAny(p.words, u.hard)
	for _, n := range names {
		m := u.meaning(n)
		was, known := u.gone[n.Text]
		known = known && was.index < until
		if known {
			delete(u.gone, n.Text)
		}
		p.names[n.Text] = m
		if known && m.text != "" && m.text == was.text && !tainted {
			u.keepSymbol(p, m, was)
			continue
		}
		name := plain(n.Text)
		u.changed[name] = true
		u.hard[name] = u.hard[name] || m.text == "" || known && was.text == "" || tainted
	}
}

// keepSymbol has a definition that is checked again mean the symbol that it meant before, which others refer to.
func (u *update) keepSymbol(p *Part, now, was meaning) {
	if was.val == nil || was.val.sym == nil || now.val.sym == nil {
		return
	}
	was.val.sym.At = now.val.sym.At
	for i := range p.Mentions {
		if p.Mentions[i].Sym == now.val.sym {
			p.Mentions[i].Sym = was.val.sym
		}
	}
	now.val.sym = was.val.sym
}

// meaning describes what a declared name means.
func (u *update) meaning(name syntax.Name) meaning {
	out := meaning{at: name.At}
	if plain(name.Text) != name.Text {
		return out
	}
	v := u.b.scope.val(name.Text)
	switch {
	case v == nil || v.mod != nil:
		return out
	case v.broken:
		out.text, out.val = "broken", v
		return out
	}
	out.val = v
	t, ok := types.Force(v.sym.Type).(*types.Prim)
	size := ok && t.Kind == prim.I64
	for _, d := range types.SizesIn(v.sym.Type) {
		if _, ok := d.(*types.SizeExp); ok {
			size = true // with functions in it, which are as good as types
		}
	}
	if !size {
		out.text = valueText(name.Text, v.sym.Params, v.sym.Type)
	}
	return out
}

// declared are the names that a declaration declares, written as body.defined has them.
func declared(d syntax.Dec) []syntax.Name {
	switch d := d.(type) {
	case *syntax.ValDec:
		return []syntax.Name{d.Name}
	case *syntax.TypeDec:
		return []syntax.Name{{Text: "type " + d.Name.Text, At: d.Name.At}}
	case *syntax.ModDec:
		return []syntax.Name{d.Name}
	case *syntax.ModTypeDec:
		return []syntax.Name{{Text: "module type " + d.Name.Text, At: d.Name.At}}
	case *syntax.LocalDec:
		return declared(d.Dec)
	default:
		return nil
	}
}

// plain is a name without its space, as it is mentioned.
func plain(key string) string { return key[strings.LastIndexByte(key, ' ')+1:] }

// opens reports whether a declaration brings names into scope that it does not have itself.
func opens(d syntax.Dec) bool {
	switch d := d.(type) {
	case *syntax.OpenDec, *syntax.ImportDec:
		return true
	case *syntax.LocalDec:
		return opens(d.Dec)
	default:
		return false
	}
}

// words are the names and operators in a place.
func words(at source.Span) map[string]bool {
	tokens, _ := syntax.LexRange(at.File, int(at.Start), int(at.End))
	out := map[string]bool{}
	for _, t := range tokens {
		if k := t.Kind; k == syntax.EOF || k.IsKeyword() || k == syntax.DocComment {
			continue
		}
		text := at.File.Span(int(t.Start), int(t.End)).Text()
		out[text[strings.LastIndexByte(text, '.')+1:]] = true
		if before, _, qualified := strings.Cut(text, "."); qualified {
			out[before] = true
		}
	}
	return out
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

// After is what stands behind the last part: nothing but what is in scope there.
func (x *Incremental) After() *Part { return &Part{env: x, before: x.after} }
