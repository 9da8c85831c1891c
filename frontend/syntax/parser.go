package syntax

import (
	"strings"

	"skald/frontend/diag"
	"skald/frontend/source"
)

// Note [Two parsers in one]
//
// Types, modules, module types and what precedes declarations are parsed by
// participle from the grammar in grammar.go; values, expressions, patterns and
// type expressions by the methods of parser below, by recursive descent and
// precedence climbing. They meet in session.go: the hand-written parser turns
// each value into a single token before participle begins (Note [Islands]),
// and participle calls it where the grammar has a type expression, an
// attribute or type parameters. Types and patterns are on this side because
// they occur in every other line of an expression (entering participle costs
// microseconds), and because their nesting must be counted.

// maxNesting bounds how deeply brackets and prefixes may be nested, and
// maxChain how many infix operators and local definitions a declaration may
// have. Every tree's depth is at most a small multiple of their sum, so that
// recursion over it is safe; see Note [Depth].
const (
	maxNesting = 1000
	maxChain   = 100_000
)

// Note [Depth]
//
// Later stages recurse over the tree, and Go cannot recover from a stack that
// outgrows its limit, so the depth of a tree is bounded here. Nesting that the
// parser itself recurses on is counted by enter and leave. Chains that it
// parses in a loop, but that give trees as deep as the chain is long
// (x + y + …, let … let …, else if …), are counted by link, against one budget
// for the whole declaration.

// A parser parses expressions, types and patterns out of a list of tokens. Its
// methods parse at pos and move past what they parsed. An error is raised with
// fail, which unwinds to catch.
type parser struct {
	file   *source.File
	text   string
	tokens []Token
	pos    int
	depth  int
	chain  int
}

// reset prepares the parser for a new list of tokens, which ends in EOF.
func (p *parser) reset(f *source.File, tokens []Token) {
	*p = parser{file: f, text: f.Text(), tokens: tokens}
}

// A bailout carries a syntax error from fail to catch.
type bailout struct{ d *diag.Diagnostic }

// catch turns an unwinding syntax error into a value; it is deferred.
func catch(out **diag.Diagnostic) {
	switch r := recover().(type) {
	case nil:
	case bailout:
		*out = r.d
	default:
		panic(r)
	}
}

// fail raises a syntax error.
func (p *parser) fail(code *diag.Code, at source.Span, format string, args ...any) {
	p.raise(diag.New(code, at, format, args...))
}

// raise raises a syntax error that is already described.
func (p *parser) raise(d *diag.Diagnostic) { panic(bailout{d}) }

// kind is the kind of the current token.
func (p *parser) kind() Kind { return p.tokens[p.pos].Kind }

// peek is the kind of the token n places ahead.
func (p *parser) peek(n int) Kind {
	if p.pos+n >= len(p.tokens) {
		return EOF
	}
	return p.tokens[p.pos+n].Kind
}

// next returns the current token and moves past it; EOF is never passed.
func (p *parser) next() Token {
	t := p.tokens[p.pos]
	if t.Kind != EOF {
		p.pos++
	}
	return t
}

// got moves past the current token if it is of that kind.
func (p *parser) got(k Kind) bool {
	if p.kind() == k {
		p.pos++
		return true
	}
	return false
}

// expect moves past a token of that kind, or fails; what says in which
// construct it belongs.
func (p *parser) expect(k Kind, what string) Token {
	if p.kind() != k {
		p.unexpected(quoteKind(k) + " " + what)
	}
	return p.next()
}

// str is the text of a token.
func (p *parser) str(t Token) string { return p.text[t.Start:t.End] }

// at is the range of a token.
func (p *parser) at(t Token) source.Span {
	return source.Span{File: p.file, Start: t.Start, End: t.End}
}

// here is the range of the current token.
func (p *parser) here() source.Span { return p.at(p.tokens[p.pos]) }

// start is where the current token begins, for from.
func (p *parser) start() int32 { return p.tokens[p.pos].Start }

// from is the node header of a node that begins at start and ends with the
// token just passed.
func (p *parser) from(start int32) Node {
	return Node{source.Span{File: p.file, Start: start, End: p.tokens[max(p.pos-1, 0)].End}}
}

// name passes a token of kind Ident and returns it as a name.
func (p *parser) name(what string) Name {
	if p.kind() != Ident {
		p.unexpected(what)
	}
	t := p.next()
	return Name{Text: p.str(t), At: p.at(t)}
}

// qualName parses a name with qualifiers.
func (p *parser) qualName(what string) QualName {
	q := QualName{Name: p.name(what)}
	for p.kind() == Dot && p.peek(1) == Ident {
		p.pos++
		q.Quals = append(q.Quals, q.Name)
		q.Name = p.name(what)
	}
	return q
}

// field parses a field's name, which may be a number.
func (p *parser) field() Name {
	if k := p.kind(); k != Ident && k != NatLit {
		p.unexpected("the name of a field")
	}
	t := p.next()
	return Name{Text: p.str(t), At: p.at(t)}
}

// enter counts a level of nesting; leave uncounts it.
func (p *parser) enter() {
	if p.depth++; p.depth > maxNesting {
		p.fail(codeDepth, p.here(), "nested too deeply: more than %d levels", maxNesting)
	}
}

// leave ends a level of nesting.
func (p *parser) leave() { p.depth-- }

// link counts one link of a chain.
func (p *parser) link() {
	if p.chain++; p.chain > maxChain {
		p.fail(codeDepth, p.here(), "too long: more than %d operators and local definitions in one declaration", maxChain)
	}
}

// unexpected fails at the current token, saying what was expected there.
func (p *parser) unexpected(want string) {
	p.raise(p.unexpectedAt(p.pos, want))
}

// unexpectedAt describes the token at an index as unexpected. Text that is no
// token and misplaced documentation have diagnostics of their own.
func (p *parser) unexpectedAt(i int, want string) *diag.Diagnostic {
	t := p.tokens[i]
	at := p.firstLine(t)
	switch {
	case t.Kind == Bad:
		return p.badText(t)
	case t.Kind == DocComment && p.tokens[i+1].Kind != HashBracket && !startsDec(p.tokens[i+1].Kind):
		return diag.New(codeDoc, at, "a documentation comment must stand before a declaration").
			Hintf("begin an ordinary comment with \"--\" without a bar")
	case t.Kind == EOF:
		return diag.New(codeUnexpected, at, "Unexpected end of file: expected %s", want)
	default:
		return diag.New(codeUnexpected, at, "Unexpected token: %s, where %s was expected", p.describe(t), want)
	}
}

// badText describes text that is no token.
func (p *parser) badText(t Token) *diag.Diagnostic {
	text := p.str(t)
	if strings.HasPrefix(text, `"`) {
		return diag.New(codeString, p.at(t), "this string is not closed").
			Hintf("a string ends on its line with a double quote")
	}
	if text == "\ufeff" {
		return diag.New(codeText, p.at(t), "a byte order mark is not part of a program").Hintf("save the file as UTF-8 without one (no BOM)")
	}
	return diag.New(codeText, p.at(t), "invalid text %q", text)
}

// firstLine is the first line of a token's range.
func (p *parser) firstLine(t Token) source.Span {
	at := p.at(t)
	if n := strings.IndexByte(at.Text(), '\n'); n >= 0 {
		at.End = at.Start + int32(n)
	}
	return at
}

// describe is the text of a token in quotation marks, shortened.
func (p *parser) describe(t Token) string {
	if t.Kind == DocComment {
		return t.Kind.String()
	}
	text := p.str(t)
	if len(text) > 40 {
		text = text[:37] + "..."
	}
	return quoteText(text)
}

// quoteKind is the text of a kind of token in quotation marks.
func quoteKind(k Kind) string {
	if k.fixed() {
		return quoteText(k.String())
	}
	return k.String()
}

// quoteText puts source text in quotation marks, without escapes.
func quoteText(s string) string { return "'" + s + "'" }
