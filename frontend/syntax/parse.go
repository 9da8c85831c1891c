package syntax

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"skald/frontend/diag"
	"skald/frontend/source"
)

// Parse parses a whole file. Errors go to the sink, and the tree holds all
// declarations that could be parsed.
func Parse(f *source.File, sink *diag.Sink) *File {
	out := &File{Source: f}
	if !readable(f, sink) {
		return out
	}
	tokens, comments := Lex(f)
	out.Comments = comments
	if d := bracketDepth(f, tokens); d != nil {
		sink.Report(d)
		return out
	}
	s := sessions.Get().(*session)
	defer s.release()
	s.reset(f, tokens)
	s.begin()
	if tokens[0].Kind == DocComment {
		out.Doc = &Doc{Node: Node{s.at(tokens[0])}, Text: docText(s.str(tokens[0]))}
		s.stream.Next()
		if s.kindAt() == EOF {
			sink.Report(s.unexpectedAt(0, "a declaration"))
		}
	}
	out.Decs = s.parseDecs(sink)
	return out
}

// parseDecs parses declarations up to the end of the tokens.
func (s *session) parseDecs(sink *diag.Sink) (decs []Dec) {
	good := true
	for s.kindAt() != EOF {
		if s.kindAt() == RightBrace && !good {
			s.stream.Next() // It closes a module in which there was an error.
			continue
		}
		start := s.stream.MakeCheckpoint()
		d, failed := s.parseDec()
		if failed == nil {
			decs = append(decs, d)
			continue
		}
		good = false
		sink.Report(failed)
		s.stream.LoadCheckpoint(start)
		s.resume(failed)
	}
	return decs
}

// kindAt is the kind of the token at participle's cursor.
func (s *session) kindAt() Kind { return s.tokens[s.stream.RawCursor()].Kind }

// Note [Resuming after an error]
//
// When a declaration cannot be parsed, parsing goes on at the next token that
// looks like the beginning of one: a keyword of declarations that is the first
// on its line. "let" begins declarations and local definitions, and so counts
// only when it stands no further to the right than the declaration that
// failed. A declaration within a module may be resumed at too; then the
// module's closing brace is passed over. Declarations found after an error
// are in the tree, but a program with syntax errors is not looked at further.

// resume moves the cursor, which is at a declaration that could not be parsed,
// to where parsing goes on.
func (s *session) resume(failed *diag.Diagnostic) {
	start := int(s.stream.RawCursor())
	indent := s.columnOf(start)
	i := max(start+1, s.tokenAt(int(failed.Span.Start)))
	for i < len(s.tokens)-1 && !s.resumable(i, indent) {
		i++
	}
	s.stream.FastForward(lexer.RawCursor(min(i, len(s.tokens)-1) - 1))
}

// resumable reports whether the i-th token looks like the beginning of a
// declaration.
func (s *session) resumable(i, indent int) bool {
	k := s.tokens[i].Kind
	switch {
	case !s.firstOnLine(i):
		return false
	case k == wordLet || k == HashBracket || k == DocComment || k == wordImport:
		return s.columnOf(i) <= indent
	default:
		return startsDec(k)
	}
}

// startsDec reports whether a keyword begins declarations and nothing else.
func startsDec(k Kind) bool {
	switch k {
	case wordDef, wordEntry, wordType, wordModule, wordOpen, wordLocal:
		return true
	default:
		return false
	}
}

// firstOnLine reports whether only space precedes the i-th token on its line.
func (p *parser) firstOnLine(i int) bool {
	return i == 0 || strings.IndexByte(p.text[p.tokens[i-1].End:p.tokens[i].Start], '\n') >= 0 ||
		p.tokens[i-1].Kind == DocComment
}

// columnOf is how many bytes precede the i-th token on its line.
func (p *parser) columnOf(i int) int {
	start := int(p.tokens[i].Start)
	return start - 1 - strings.LastIndexByte(p.text[:start], '\n')
}

// readable reports whether the file's text is one that can be parsed.
func readable(f *source.File, sink *diag.Sink) bool {
	if f.Size() > source.MaxSize {
		sink.Errorf(codeSize, f.Span(0, 0), "the file has %d bytes; at most %d are read", f.Size(), source.MaxSize)
		return false
	}
	if at, ok := f.CheckUTF8(); !ok {
		sink.Errorf(codeUTF8, at, "the file is not UTF-8 text: byte %#x", at.Text()[0]).
			Hintf("save the file as UTF-8")
		return false
	}
	return true
}

// bracketDepth returns an error at the first bracket that is nested too
// deeply: participle's recursion, unlike ours, is bounded only by this.
func bracketDepth(f *source.File, tokens []Token) *diag.Diagnostic {
	depth := 0
	for _, t := range tokens {
		switch t.Kind {
		case LeftParen, LeftBracket, IndexBracket, LeftBrace, HashBracket:
			if depth++; depth > maxNesting {
				return diag.New(codeDepth, f.Span(int(t.Start), int(t.End)),
					"nested too deeply: more than %d brackets are open", maxNesting)
			}
		case RightParen, RightBracket, RightBrace:
			depth = max(depth-1, 0)
		}
	}
	return nil
}

// ParseDec parses the one declaration in a byte range of a file, as [IndexFile]
// finds them. It returns nil after an error.
func ParseDec(at source.Span, sink *diag.Sink) Dec {
	s := openRange(at, nil, sink)
	if s == nil {
		return nil
	}
	defer s.release()
	d, failed := s.parseDec()
	return finish(s, d, failed, sink)
}

// ParseExp parses a text that is one expression. It returns nil after an error.
func ParseExp(f *source.File, sink *diag.Sink) Exp {
	return parsePart(f, sink, func(s *session) (Exp, *diag.Diagnostic) { return alone(s, s.exp) })
}

// ParseTypeExp parses a text that is one type. It returns nil after an error.
func ParseTypeExp(f *source.File, sink *diag.Sink) TypeExp {
	return parsePart(f, sink, func(s *session) (TypeExp, *diag.Diagnostic) { return alone(s, s.typeExp) })
}

// ParsePat parses a text that is one pattern. It returns nil after an error.
func ParsePat(f *source.File, sink *diag.Sink) Pat {
	return parsePart(f, sink, func(s *session) (Pat, *diag.Diagnostic) { return alone(s, s.pat) })
}

// ParseModExp parses a text that is one module expression. It returns nil
// after an error.
func ParseModExp(f *source.File, sink *diag.Sink) ModExp {
	return parsePart(f, sink, (*session).parseModExp)
}

// parsePart parses all of a text by one production.
func parsePart[T any](f *source.File, sink *diag.Sink, parse func(*session) (T, *diag.Diagnostic)) (out T) {
	if !readable(f, sink) {
		return out
	}
	s := openRange(f.All(), nil, sink)
	if s == nil {
		return out
	}
	defer s.release()
	part, failed := parse(s)
	return finish(s, part, failed, sink)
}

// alone runs a hand-written production at the stream's cursor.
func alone[T any](s *session, parse func() T) (T, *diag.Diagnostic) {
	out, _ := custom(s, s.stream, parse)
	return out, s.failed
}

// finish reports the error of a production, or that text is left after it.
func finish[T any](s *session, out T, failed *diag.Diagnostic, sink *diag.Sink) T {
	var none T
	if failed == nil && s.kindAt() != EOF {
		failed = s.unexpectedAt(int(s.stream.RawCursor()), "the end of the text")
	}
	if failed != nil {
		sink.Report(failed)
		return none
	}
	return out
}

// openRange begins a session on a byte range of a file, of which it leaves out
// the tokens within the range skip, if that is set.
func openRange(at source.Span, skip *source.Span, sink *diag.Sink) *session {
	tokens, _ := LexRange(at.File, int(at.Start), int(at.End))
	if d := bracketDepth(at.File, tokens); d != nil {
		sink.Report(d)
		return nil
	}
	if skip != nil {
		kept := tokens[:0]
		for _, t := range tokens {
			if t.Kind == EOF || t.Start < skip.Start || t.End > skip.End {
				kept = append(kept, t)
			}
		}
		tokens = kept
	}
	s := sessions.Get().(*session)
	s.reset(at.File, tokens)
	s.begin()
	return s
}
