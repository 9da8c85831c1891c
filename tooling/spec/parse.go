package spec

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/tooling/script"
)

var codeBlock = diag.Declare(diag.Code{
	ID:      "test-block",
	Doc:     "A test block does not follow its grammar.",
	Example: "-- ==\n-- input { 1 output { 2 }\n\ndef main x = x",
})

// Parse parses the test blocks of a program. It returns nil after an error. A
// program without blocks is a Program in which nothing is set.
func Parse(f *source.File, sink *diag.Sink) *Program {
	out := &Program{}
	for i, b := range blocks(f) {
		if out.Rejected != nil {
			sink.Errorf(codeBlock, f.Span(b.start-len(separator), b.start),
				"a program that must be rejected has one test block only")
			return nil
		}
		p := &parser{block: b}
		if failed := p.run(func() { p.testBlock(out, i == 0) }); failed != nil {
			sink.Report(failed)
			return nil
		}
	}
	return finish(out, sink)
}

// finish checks that the names of cases differ within each block.
func finish(out *Program, sink *diag.Sink) *Program {
	for _, g := range out.Groups {
		seen := map[string]bool{}
		for _, c := range g.Cases {
			if c.Label == "" && c.Input.Kind == InText {
				continue // Numbered, and so different.
			}
			name := c.Name()
			if seen[name] {
				sink.Errorf(codeBlock, c.At, "there are two cases named %q", name).
					Hintf("write a name in quotation marks before one of them")
				return nil
			}
			seen[name] = true
		}
	}
	return out
}

// A parser parses a test block from pos on. Lines matter in a few places: what
// a method skips is said there.
type parser struct {
	block
	pos int
}

// run calls a function that raises errors with fail, and returns the error.
func (p *parser) run(f func()) (failed *diag.Diagnostic) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *diag.Diagnostic:
			failed = r
		default:
			panic(r)
		}
	}()
	f()
	return nil
}

// fail raises an error at the next word.
func (p *parser) fail(format string, args ...any) {
	p.failAt(p.span(p.pos, p.pos+max(1, p.wordLen())), format, args...)
}

// failAt raises an error.
func (p *parser) failAt(at source.Span, format string, args ...any) {
	panic(diag.New(codeBlock, at, format, args...))
}

// span is the range between two offsets in the block's text.
func (p *parser) span(from, to int) source.Span { return p.file.Span(p.start+from, p.start+to) }

// wordLen is the length of the text up to the next space.
func (p *parser) wordLen() int {
	if n := strings.IndexFunc(p.text[p.pos:], unicode.IsSpace); n >= 0 {
		return n
	}
	return len(p.text) - p.pos
}

// space skips white space; blanks skips only that on the same line.
func (p *parser) space() {
	p.pos = len(p.text) - len(strings.TrimLeftFunc(p.text[p.pos:], unicode.IsSpace))
}

func (p *parser) blanks() {
	p.pos = len(p.text) - len(strings.TrimLeft(p.text[p.pos:], " \t\r"))
}

// got passes a text, and the space behind it, if it is next.
func (p *parser) got(s string) bool {
	if !strings.HasPrefix(p.text[p.pos:], s) {
		return false
	}
	p.pos += len(s)
	p.space()
	return true
}

// expect passes a text and the space behind it, or fails.
func (p *parser) expect(s string) {
	if !p.got(s) {
		p.fail("expected '%s'", s)
	}
}

// tag is the tag that is next, perhaps empty; it is not passed.
func (p *parser) tag() string {
	rest := p.text[p.pos:]
	n := strings.IndexFunc(rest, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-'
	})
	if n < 0 {
		n = len(rest)
	}
	return rest[:n]
}

// testBlock parses a whole block; first says that it is the first one of its file, which alone has tags and structures.
func (p *parser) testBlock(out *Program, first bool) {
	p.space()
	if first {
		p.tags(out)
		if p.gotOnLine("error:") {
			out.Rejected = p.message()
			p.end()
			return
		}
	}
	if strings.HasPrefix(p.text[p.pos:], "property:") {
		for p.gotOnLine("property:") {
			out.Properties = append(out.Properties, p.words("")...)
		}
		p.end()
		return
	}
	p.cases(out)
	if first {
		for p.got("structure") {
			out.Structures = append(out.Structures, p.structure())
		}
		for p.gotOnLine("warning:") {
			out.Warnings = append(out.Warnings, p.message())
		}
	}
	p.end()
}

// gotOnLine is got for what precedes the rest of its line: only the space on
// the same line is passed.
func (p *parser) gotOnLine(s string) bool {
	if !strings.HasPrefix(p.text[p.pos:], s) {
		return false
	}
	p.pos += len(s)
	p.blanks()
	return true
}

// end fails unless the block is at its end.
func (p *parser) end() {
	if p.space(); p.pos < len(p.text) {
		p.fail("expected 'input', or the end of the test block")
	}
}

// tags parses the program's tags.
func (p *parser) tags(out *Program) {
	if p.tag() != "tags" {
		return
	}
	p.expect("tags")
	p.expect("{")
	for t := p.tag(); t != ""; t = p.tag() {
		out.Tags = append(out.Tags, t)
		p.expect(t)
	}
	p.expect("}")
}

// words parses the words up to the end of the line; a word has no character
// of stop.
func (p *parser) words(stop string) []string {
	var words []string
	for {
		p.blanks()
		n := strings.IndexFunc(p.text[p.pos:], func(r rune) bool {
			return unicode.IsSpace(r) || strings.ContainsRune(stop, r)
		})
		if n < 0 {
			n = len(p.text) - p.pos
		}
		if n == 0 {
			p.space()
			return words
		}
		words = append(words, p.text[p.pos:p.pos+n])
		p.pos += n
	}
}

// message parses the rest of a line as a pattern for messages.
func (p *parser) message() *Error {
	end := lineEnd(p.text, p.pos)
	pattern := strings.TrimSpace(p.text[p.pos:end])
	e := &Error{At: p.span(p.pos, p.pos+len(pattern)), Pattern: pattern}
	var err error
	if e.Regexp, err = regexp.Compile("(?s)" + pattern); err != nil {
		p.failAt(e.At, "this is no regular expression: %v", err)
	}
	p.pos = end
	p.space()
	return e
}

// cases parses the entry points of a block and its cases.
func (p *parser) cases(out *Program) {
	entries := []string{"main"}
	if p.gotOnLine("entry:") {
		entries = p.words("}")
	}
	var cases []*Case
	for {
		c := p.testCase(len(cases))
		if c == nil {
			break
		}
		cases = append(cases, c)
	}
	if len(cases) == 0 {
		return
	}
	for _, e := range entries {
		out.Groups = append(out.Groups, Group{Entry: e, Cases: cases})
	}
}

// testCase parses a case, or returns nil if there is none.
func (p *parser) testCase(index int) *Case {
	c := &Case{Index: index}
	start := p.pos
	if p.peek() == '"' {
		c.Label = p.label()
	}
	last := p.pos
	for {
		t := p.tag()
		if t == "" || t == "input" || t == "structure" || t == "warning" {
			break
		}
		c.Tags = append(c.Tags, t)
		last = p.pos
		p.pos += len(t)
		p.blanks()
	}
	if !p.got("input") {
		if p.pos != start {
			p.pos = last
			p.fail("expected 'input' after this, on the same line")
		}
		return nil
	}
	c.Input = p.input(c)
	c.Want = p.want()
	end := start + len(strings.TrimRightFunc(p.text[start:p.pos], unicode.IsSpace))
	c.At = p.span(start, end)
	return c
}

// peek is the next byte, zero at the end.
func (p *parser) peek() byte {
	if p.pos < len(p.text) {
		return p.text[p.pos]
	}
	return 0
}

// label parses a case's name in quotation marks.
func (p *parser) label() string {
	end := stringEnd(p.text, p.pos)
	label, err := strconv.Unquote(p.text[p.pos:end])
	if err != nil {
		p.fail("expected a name in quotation marks")
	}
	p.pos = end
	p.space()
	return label
}

// stringEnd is the end of the string that begins at start.
func stringEnd(text string, start int) int {
	for i := start + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// input parses what a case passes to the program.
func (p *parser) input(c *Case) Values {
	isScript := c.HasTag("script")
	if p.peek() == '@' && !c.HasTag("random") {
		return p.filePath(isScript)
	}
	from, to := p.braces()
	v := Values{At: p.span(from, to), Text: p.text[from:to]}
	switch {
	case c.HasTag("random"):
		v.Kind = InRandom
		v.Random = p.randoms(from, to)
	case isScript:
		v.Kind = InScript
		e, failed := script.Parse(v.At, v.Text)
		if failed != nil {
			panic(failed)
		}
		v.Script = e
	}
	return v
}

// filePath parses the name of a file of values or with a script.
func (p *parser) filePath(isScript bool) Values {
	p.expect("@")
	n := p.wordLen()
	v := Values{Kind: InFile, At: p.span(p.pos, p.pos+n), Path: p.text[p.pos : p.pos+n]}
	if n == 0 {
		p.fail("expected the name of a file")
	}
	if isScript {
		v.Kind = InScriptFile
	}
	p.pos += n
	p.space()
	return v
}

// braces passes text in braces, and the space behind it, and returns where its
// inside is. Braces nest, and those in strings do not count.
func (p *parser) braces() (from, to int) {
	open := p.pos
	if p.peek() != '{' {
		p.fail("expected '{' or '@'")
	}
	depth := 0
	for i := p.pos; i < len(p.text); i++ {
		switch p.text[i] {
		case '"':
			i = stringEnd(p.text, i) - 1
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				p.pos = i + 1
				p.space()
				return open + 1, i
			}
		}
	}
	p.failAt(p.span(open, open+1), "this brace is not closed")
	return 0, 0
}

// elemTypes are the types of which values can be generated.
var elemTypes = []string{"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64", "bool"}

// randoms parses types and constants between two offsets.
func (p *parser) randoms(from, to int) []Random {
	var list []Random
	text := p.text[:to]
	for i := from; ; {
		i = to - len(strings.TrimLeftFunc(text[i:], unicode.IsSpace))
		if i == to {
			return list
		}
		n := strings.IndexFunc(text[i:], unicode.IsSpace)
		if n < 0 {
			n = to - i
		}
		r, ok := random(text[i : i+n])
		if !ok {
			p.failAt(p.span(i, i+n), "expected a type such as [100]i32, or a constant, not '%s'", text[i:i+n])
		}
		list = append(list, r)
		i += n
	}
}

// random parses a type or a constant.
func random(word string) (r Random, ok bool) {
	rest := word
	for strings.HasPrefix(rest, "[") {
		size, after, found := strings.Cut(rest[1:], "]")
		n, err := strconv.ParseInt(strings.ReplaceAll(strings.TrimSuffix(size, "i64"), "_", ""), 10, 64)
		if !found || err != nil || n < 0 {
			return r, false
		}
		r.Shape = append(r.Shape, n)
		rest = after
	}
	if slices.Contains(elemTypes, rest) {
		r.Elem = rest
		return r, true
	}
	isConst := rest == "true" || rest == "false" || rest != "" && strings.ContainsRune("-0123456789f", rune(rest[0]))
	return Random{Const: word}, r.Shape == nil && isConst
}

// want parses what is expected of a case.
func (p *parser) want() Want {
	switch {
	case p.tag() == "auto":
		p.expect("auto")
		p.expect("output")
		return Want{Kind: WantAuto}
	case p.tag() == "output":
		p.expect("output")
		if p.peek() == '@' {
			return Want{Kind: WantValues, Values: p.filePath(false)}
		}
		from, to := p.braces()
		return Want{Kind: WantValues, Values: Values{At: p.span(from, to), Text: p.text[from:to]}}
	case p.gotOnLine("error:"):
		return Want{Kind: WantError, Error: p.message()}
	default:
		return Want{Kind: WantAny}
	}
}

// pipelines are the compiler pipelines that a structure may name; of two that
// begin alike, the longer comes first.
var pipelines = []string{"gpu-mem", "gpu", "mc-mem", "mc", "seq-mem", "internalised"}

// structure parses what follows the word structure.
func (p *parser) structure() Structure {
	s := Structure{At: p.span(p.pos, p.pos)}
	for _, name := range pipelines {
		if p.tag() == name {
			p.expect(name)
			s.Pipeline = name
			break
		}
	}
	start := p.pos
	from, to := p.braces()
	s.At = p.span(start, to+1)
	words := strings.Fields(p.text[from:to])
	for i := 0; i < len(words); i += 2 {
		if i+1 == len(words) {
			p.failAt(s.At, "expected a number after '%s'", words[i])
		}
		n, err := strconv.Atoi(words[i+1])
		if err != nil || n < 0 {
			p.failAt(s.At, "expected a number after '%s', not '%s'", words[i], words[i+1])
		}
		s.Counts = append(s.Counts, Count{Construct: words[i], N: n})
	}
	return s
}
