package syntax

import (
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"skald/frontend/diag"
)

// Note [Islands]
//
// Most of a program is declarations and specifications of values, and the
// words that they begin with begin nothing else outside of expressions. So
// before participle sees the tokens, each of them is parsed by hand, and
// becomes a single token of the stream that participle parses: an island. The
// stream is short (which matters, since its tokens are large), and an error in
// an island is reported and passed over without participle noticing.

// kindVal and kindValSpec are the kinds of islands, in participle's stream only.
const (
	kindVal = kindComment + 1 + iota
	kindValSpec
)

// A session is participle's parsers and the hand-written parser that their
// custom productions call. A custom production is given nothing but the stream
// of tokens, so each session's grammar is built with methods of that session;
// building it takes about a millisecond, and sessions are reused.
type session struct {
	parser
	sink   *diag.Sink
	decs   *participle.Parser[gDec]
	mods   *participle.Parser[gModExp]
	stream *lexer.PeekingLexer
	// dense are the indices in the parser's tokens of those in the stream.
	dense []int32
	// vals and specs are the islands by where they begin; nil after an error.
	vals  map[int]*ValDec
	specs map[int]*ValSpec
	// bad are where the islands with errors begin, in order.
	bad []int
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

// begin parses the islands and makes participle's stream of them and the other
// tokens.
func (s *session) begin() {
	s.vals, s.specs = map[int]*ValDec{}, map[int]*ValSpec{}
	var list tokenList
	for {
		t := s.tokens[s.pos]
		s.dense = append(s.dense, int32(s.pos))
		switch t.Kind {
		case wordDef, wordEntry, wordLet:
			list = append(list, island(s, kindVal, s.vals, s.valDec))
			continue
		case wordVal:
			list = append(list, island(s, kindValSpec, s.specs, s.valSpec))
			continue
		default:
		}
		list = append(list, streamToken(s.text, t))
		if t.Kind == EOF {
			break
		}
		s.pos++
	}
	stream, err := lexer.Upgrade(&list)
	if err != nil {
		panic("syntax: " + err.Error()) // A tokenList never fails.
	}
	s.stream = stream
}

// island parses the island at the current token and notes it in a map. After
// an error it moves to where parsing goes on.
func island[T any](s *session, kind Kind, found map[int]*T, parse func() *T) lexer.Token {
	start := s.pos
	from := s.tokens[start].Start
	var d *T
	if failed := attempt(func() { d = parse() }); failed != nil {
		s.sink.Report(failed)
		s.bad = append(s.bad, int(from))
		s.pos = s.resumeAt(start, failed)
	}
	found[int(from)] = d
	end := s.tokens[s.pos-1].End
	return lexer.Token{
		Type: lexer.TokenType(kind), Value: s.text[from:end], Pos: lexer.Position{Offset: int(from)},
	}
}

// release forgets the text and makes the session available to others.
func (s *session) release() {
	*s = session{decs: s.decs, mods: s.mods}
	sessions.Put(s)
}

// index is the index in the parser's tokens of the one at a stream's cursor.
func (s *session) index(stream *lexer.PeekingLexer) int { return int(s.dense[stream.RawCursor()]) }

// forward moves a stream's cursor to the first token that is not before the
// i-th of the parser's.
func (s *session) forward(stream *lexer.PeekingLexer, i int) {
	n, _ := slices.BinarySearch(s.dense, int32(i))
	if n = min(n, len(s.dense)-1); n > 0 {
		stream.FastForward(lexer.RawCursor(n - 1))
	}
}

// errFailed tells participle that a custom production failed.
var errFailed = errors.New("syntax error")

// custom runs a hand-written production at the stream's cursor and moves the
// cursor past what it parsed, or to where it failed.
func custom[T any](s *session, stream *lexer.PeekingLexer, parse func() T) (out T, err error) {
	s.pos = s.index(stream)
	if failed := attempt(func() { out = parse() }); failed != nil {
		err = errFailed
		if s.failed == nil {
			s.failed = failed
		}
	}
	s.forward(stream, s.pos)
	return out, err
}

// attempt runs a function of the hand-written parser and returns the syntax
// error that it raised, or nil.
func attempt(parse func()) (failed *diag.Diagnostic) {
	defer catch(&failed)
	parse()
	return nil
}

// parseType is the production of types.
func (s *session) parseType(l *lexer.PeekingLexer) (TypeExp, error) { return custom(s, l, s.typeExp) }

// paramsValue and attrValue carry the results of custom
// productions through participle, which wants interfaces.
type (
	paramsValue struct{ params []*TypeParam }
	attrValue   struct{ a *Attr }
)

func (v paramsValue) list() []*TypeParam { return v.params }
func (v attrValue) attr() *Attr          { return v.a }

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
	if s.tokens[s.index(l)].Kind != HashBracket {
		return nil, participle.NextMatch
	}
	return custom(s, l, func() gAttr { return attrValue{s.attr()} })
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
		return s.unexpectedAt(s.index(s.stream), "a declaration")
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
	{"TypeExp", "a type"},
	{"GDec", "a declaration"},
	{"GSpec", "a specification"},
	{"<valspec>", "a specification"},
	{"<val>", "a declaration"},
}
