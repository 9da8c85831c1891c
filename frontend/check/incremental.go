package check

import (
	"slices"
	"strings"

	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/frontend/syntax"
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
// Where very many declarations are to be checked, most are postponed: they stay as they are, and so do those that mention them, until they
// are checked the next time and it turns out what they mean.
//
// Places of declarations that were not checked again are those of the version in which they were; Part.Moved returns the present ones.

// Incremental checks the versions of a file, one after the other, and of each only what is new. It belongs to one goroutine at a time.
type Incremental struct {
	loader Loader
	path   string
	c      *checker
	text   string // of the version that parts are of
	parts  []*Part
	pieces []*Part // parts, with the declarations of modules as parts of their own
	after  *scope  // of all parts
	heard  *Part
	// inside checks the bodies of modules in the declaration that is being checked.
	inside *moduleParts
	checks int
	left   int
	// era counts the changes of what types may be made of; began is what it was before this version.
	era, began int
	// limit is how many declarations may be checked that could be postponed, or 0, and spent how many were; postponed says that some are.
	limit, spent int
	postponed    bool
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
	x.c.moduleBody = x.moduleBody
	x.c.functorParam = x.functorParam
	x.c.files[strings.TrimSuffix(x.path, ".fut")] = &loadedFile{}
	x.text, x.parts, x.pieces, x.checks, x.left, x.after = "", nil, nil, 0, 0, x.c.prelude
}

// Checks is how many declarations were checked since the beginning.
func (x *Incremental) Checks() int { return x.checks }

// Left is a measure of what checking has left behind, which is kept until Reset: declarations that were checked, and values that were
// seen through module types.
func (x *Incremental) Left() int { return x.left }

// Check checks a version. If it cannot be parsed, nothing is checked: parts are those whose text has not changed, and the diagnostics
// are about syntax. Otherwise each part has its own. Declarations of modules are parts of their own; what is around them is in parts, too.
func (x *Incremental) Check(file *source.File) (parts []*Part, said []*diag.Diagnostic) {
	parts, said, _ = x.CheckSome(file, 0)
	return parts, said
}

// CheckSome is Check that checks no more than limit declarations, if limit is not 0, besides those that are new, repeat a name, or are
// around others: what is left is as it was in the version before. If it is not done, it must be called again, with the same version or
// another.
func (x *Incremental) CheckSome(file *source.File, limit int) (parts []*Part, said []*diag.Diagnostic, done bool) {
	var sink diag.Sink
	next := x.parse(file, &sink)
	same := matching(x.parts, next)
	if sink.HasErrors() {
		return x.unchanged(file.Text(), next, same), sink.Sorted(), true
	}
	x.postponed, x.limit, x.spent = false, limit, 0
	x.began = x.era
	u := &update{Incremental: x, b: newBody(x.c.prelude, x.path), last: x.parts, changed: map[string]bool{}, hard: map[string]bool{}}
	u.b.root = true
	u.run(next, same)
	x.parts, x.after, x.text = next, u.b.scope, file.Text()
	x.pieces = pieces(x.parts)
	return x.pieces, sink.Sorted(), !x.postponed
}

// unchanged are the parts whose text is in a version that cannot be parsed, where they are there. Of a declaration that has changed, those
// parts remain that lie before and behind all changes.
func (x *Incremental) unchanged(text string, next, same []*Part) []*Part {
	shift := map[*Part]int{}
	for i, old := range same {
		if old != nil {
			shift[old] = next[i].Start - old.Start
		}
	}
	before, behind := sameEnds(x.text, text)
	var out []*Part
	for _, old := range x.parts {
		if by, ok := shift[old]; ok {
			for _, p := range old.pieces() {
				out = append(out, p.movedBy(by))
			}
			continue
		}
		if len(old.modules) == 0 {
			continue
		}
		for _, p := range old.pieces() {
			switch {
			case p.end() <= before:
				out = append(out, p)
			case p.Start >= len(x.text)-behind:
				out = append(out, p.movedBy(len(text)-len(x.text)))
			}
		}
	}
	return out
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
func matching(last, next []*Part) []*Part {
	same := make([]*Part, len(next))
	lo, end := 0, len(next)
	for lo < len(next) && lo < len(last) && next[lo].At.Text() == last[lo].At.Text() {
		same[lo] = last[lo]
		lo++
	}
	old := len(last)
	for end > lo && old > lo && next[end-1].At.Text() == last[old-1].At.Text() {
		end--
		old--
		same[end] = last[old]
	}
	places := map[string][]int{}
	for j := lo; j < old; j++ {
		text := last[j].At.Text()
		places[text] = append(places[text], j)
	}
	from := lo
	for i := lo; i < end; i++ {
		list := places[next[i].At.Text()]
		n, _ := slices.BinarySearch(list, from)
		if n < len(list) {
			same[i] = last[list[n]]
			from = list[n] + 1
		}
	}
	return same
}

// Last is the part that was last at a byte, as it was when the file could be parsed; none if that is not known.
func (x *Incremental) Last(offset int) []*Part {
	for _, p := range x.pieces {
		if offset <= p.end() {
			return []*Part{p}
		}
	}
	return x.pieces[max(len(x.pieces)-1, 0):]
}

// After is what follows the last part: nothing but what is in scope there.
func (x *Incremental) After() *Part { return &Part{env: x, before: x.after} }
