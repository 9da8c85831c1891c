package syntax

import (
	"errors"
	"strings"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"skald/frontend/diag"
)

// A session is participle's parsers and the hand-written parser that their
// custom productions call. A custom production is given nothing but the stream
// of tokens, so each session's grammar is built with methods of that session;
// building it takes about a millisecond, and sessions are reused.
type session struct {
	parser
	decs   *participle.Parser[gDec]
	mods   *participle.Parser[gModExp]
	stream *lexer.PeekingLexer
	// failed is the first syntax error that a custom production met. It is
	// final: the grammar enters none that may fail without an error, but
	// participle may take its failure for the end of an optional part.
	failed *diag.Diagnostic
}

// sessions are those not in use.
var sessions = sync.Pool{New: func() any {
	s := &session{}
	if err := s.newGrammar(); err != nil {
		panic("syntax: grammar: " + err.Error())
	}
	return s
}}

// begin points participle's stream at the parser's tokens.
func (s *session) begin() {
	stream, err := lexer.Upgrade(&tokenStream{text: s.text, tokens: s.tokens})
	if err != nil {
		panic("syntax: " + err.Error()) // A tokenStream never fails.
	}
	s.stream = stream
}

// release forgets the text and makes the session available to others.
func (s *session) release() {
	s.parser, s.stream, s.failed = parser{}, nil, nil
	sessions.Put(s)
}

// errFailed tells participle that a custom production failed.
var errFailed = errors.New("syntax error")

// custom runs a hand-written production at the stream's cursor and moves the
// cursor past what it parsed, or to where it failed.
func custom[T any](s *session, stream *lexer.PeekingLexer, parse func() T) (out T, err error) {
	s.pos = int(stream.RawCursor())
	if failed := attempt(func() { out = parse() }); failed != nil {
		err = errFailed
		if s.failed == nil {
			s.failed = failed
		}
	}
	if s.pos > 0 {
		stream.FastForward(lexer.RawCursor(s.pos - 1))
	}
	return out, err
}

// attempt runs a function of the hand-written parser and returns the syntax
// error that it raised, or nil.
func attempt(parse func()) (failed *diag.Diagnostic) {
	defer catch(&failed)
	parse()
	return nil
}

// parseExp is the production of expressions.
func (s *session) parseExp(l *lexer.PeekingLexer) (Exp, error) { return custom(s, l, s.exp) }

// parseType is the production of types.
func (s *session) parseType(l *lexer.PeekingLexer) (TypeExp, error) { return custom(s, l, s.typeExp) }

// headValue, paramsValue, attrValue and operValue carry the results of custom
// productions through participle, which wants interfaces.
type (
	headValue   struct{ dec *ValDec }
	paramsValue struct{ params []*TypeParam }
	attrValue   struct{ a *Attr }
	operValue   struct{ n Name }
)

func (v headValue) head() *ValDec        { return v.dec }
func (v paramsValue) list() []*TypeParam { return v.params }
func (v attrValue) attr() *Attr          { return v.a }
func (v operValue) name() Name           { return v.n }

// parseHead is the production of what a value declaration defines.
func (s *session) parseHead(l *lexer.PeekingLexer) (gHead, error) {
	return custom(s, l, func() gHead { return headValue{s.valHead()} })
}

// parseTypeParams is the production of type parameters; it does not match
// where there are none.
func (s *session) parseTypeParams(l *lexer.PeekingLexer) (gParams, error) {
	out, err := custom(s, l, func() gParams { return paramsValue{s.typeParams()} })
	if err == nil && len(out.list()) == 0 {
		return nil, participle.NextMatch
	}
	return out, err
}

// parseAttr is the production of attributes.
func (s *session) parseAttr(l *lexer.PeekingLexer) (gAttr, error) {
	if s.tokens[l.RawCursor()].Kind != HashBracket {
		return nil, participle.NextMatch
	}
	return custom(s, l, func() gAttr { return attrValue{s.attr()} })
}

// parseOperator is the production of operators in specifications.
func (s *session) parseOperator(l *lexer.PeekingLexer) (gOper, error) {
	return custom(s, l, func() gOper { return operValue{s.bindingOperator()} })
}

// valHead parses the name, type parameters and parameters of a value
// declaration:
//
//	Head ::= Param operator Param | (name | "(" operator ")") TypeParams Params
func (p *parser) valHead() *ValDec {
	p.depth, p.chain = 0, 0
	d := &ValDec{}
	first := p.valName()
	if p.kind() == Operator || p.kind() == Backtick || p.kind() >= Minus && p.kind() <= Bang {
		d.Infix = true
		d.Name = p.bindingOperator()
		if !p.startsParam() {
			p.unexpected("the right operand")
		}
		d.Params = []Pat{first, p.param()}
		return d
	}
	switch first := first.(type) {
	case *PatName:
		d.Name = first.Name
	case *PatTuple:
		p.raise(diag.New(codeTopPattern, first.Span(), "a declaration cannot bind a pattern").
			Hintf("bind one name, and take it apart where it is used"))
	default:
		p.unexpected("an operator after its left operand")
	}
	d.TypeParams = p.typeParams()
	d.Params = p.params()
	return d
}

// valName parses what follows the keyword of a value declaration.
func (p *parser) valName() Pat {
	if !p.startsParam() {
		p.unexpected("the name of what is defined")
	}
	return p.param()
}

// parseDec parses the declaration at the stream's cursor. When that fails, the
// cursor is somewhere in the declaration.
func (s *session) parseDec() (Dec, *diag.Diagnostic) {
	s.failed, s.depth, s.chain = nil, 0, 0
	g, err := s.decs.ParseFromLexer(s.stream, participle.AllowTrailing(true))
	if err != nil || s.failed != nil {
		return nil, s.explain(err)
	}
	var d Dec
	failed := attempt(func() { d = s.dec(g) })
	return d, failed
}

// parseModExp parses a module expression at the stream's cursor.
func (s *session) parseModExp() (ModExp, *diag.Diagnostic) {
	s.failed, s.depth, s.chain = nil, 0, 0
	g, err := s.mods.ParseFromLexer(s.stream, participle.AllowTrailing(true))
	if err != nil || s.failed != nil {
		return nil, s.explain(err)
	}
	var m ModExp
	failed := attempt(func() { m = s.modExp(g) })
	return m, failed
}

// explain turns participle's error into a diagnostic.
func (s *session) explain(err error) *diag.Diagnostic {
	if s.failed != nil {
		return s.failed
	}
	var unexpected *participle.UnexpectedTokenError
	if !errors.As(err, &unexpected) {
		return s.unexpectedAt(int(s.stream.RawCursor()), "a declaration")
	}
	return s.unexpectedAt(s.tokenAt(unexpected.Unexpected.Pos.Offset), expectation(unexpected.Message()))
}

// tokenAt is the index of the token that begins at a byte offset.
func (s *session) tokenAt(offset int) int {
	lo, hi := 0, len(s.tokens)-1
	for lo < hi {
		mid := (lo + hi) / 2
		if int(s.tokens[mid].Start) < offset {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// expectation takes what was expected out of participle's message, which ends
// in "(expected GRAMMAR)": the first token or production of the grammar.
func expectation(msg string) string {
	_, want, ok := strings.Cut(msg, "(expected ")
	if !ok {
		return "a declaration"
	}
	want = strings.TrimLeft(want, "(? ")
	if strings.HasPrefix(want, `"`) {
		if text, _, ok := strings.Cut(want[1:], `"`); ok {
			return quoteText(text)
		}
	}
	for _, p := range productions {
		if strings.HasPrefix(want, p.grammar) {
			return p.plain
		}
	}
	return "something else"
}

// productions are the names of productions and tokens in the grammar, and what
// messages call them.
var productions = []struct{ grammar, plain string }{
	{"<ident>", "a name"},
	{"<string>", "a string"},
	{"GModTypeAtom", "a module type"},
	{"GModTypePart", "a module type"},
	{"GModType", "a module type"},
	{"GModAtom", "a module"},
	{"GModExp", "a module"},
	{"GModParam", "a parameter in parentheses"},
	{"GHead", "the name of what is defined"},
	{"GOper", "an operator"},
	{"Exp", "an expression"},
	{"TypeExp", "a type"},
	{"GDec", "a declaration"},
	{"GValSpec", "a specification"},
	{"GSpec", "a specification"},
	{"GVal", "a declaration"},
}
