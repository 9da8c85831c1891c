package syntax

import (
	"slices"
	"strings"

	"skald/frontend/diag"
	"skald/frontend/source"
)

// Parse parses a whole file. Errors go to the sink, and the tree holds all
// declarations that could be parsed.
func Parse(f *source.File, sink *diag.Sink) *File {
	return ParseRange(f.All(), sink)
}

// ParseRange does the same for a part of a file, which must begin and end where declarations may.
func ParseRange(at source.Span, sink *diag.Sink) *File {
	f := at.File
	out := &File{Source: f}
	if !readable(f, sink) {
		return out
	}
	tokens, comments := LexRange(f, int(at.Start), int(at.End))
	out.Comments = comments
	if d := bracketDepth(f, tokens); d != nil {
		sink.Report(d)
		return out
	}
	s := open(f, tokens, sink)
	defer s.release()
	if tokens[0].Kind == DocComment && at.Start == 0 {
		out.Doc = &Doc{Node: Node{s.at(tokens[0])}, Text: docText(s.str(tokens[0]))}
		s.stream.Next()
		if s.kindAt() == EOF {
			sink.Report(s.unexpectedAt(0, "a declaration"))
		}
	}
	out.Decs = s.parseDecs()
	return out
}

// open begins a session on a list of tokens.
func open(f *source.File, tokens []Token, sink *diag.Sink) *session {
	s := sessions.Get().(*session)
	s.reset(f, tokens)
	s.sink = sink
	s.begin()
	return s
}

// parseDecs parses declarations up to the end of the tokens: see Note [Resuming after an error].
func (s *session) parseDecs() (decs []Dec) {
	good := true
	for s.kindAt() != EOF {
		if s.kindAt() == RightBrace && !good {
			s.stream.Next() // It closes a module in which there was an error.
			continue
		}
		start := s.stream.MakeCheckpoint()
		d, failed := s.parseDec()
		if failed == nil {
			if d != nil {
				decs = append(decs, d)
			}
			continue
		}
		good = false
		s.stream.LoadCheckpoint(start)
		from := s.index(s.stream)
		s.forward(s.stream, s.resumeAt(from, failed))
		if !s.islandFailed(from, s.index(s.stream)) {
			s.sink.Report(failed)
		}
	}
	return decs
}

// islandFailed reports whether an island with an error begins between two
// tokens: then another error there may be but a consequence.
func (s *session) islandFailed(from, to int) bool {
	n, _ := slices.BinarySearch(s.bad, int(s.tokens[from].Start))
	return n < len(s.bad) && s.bad[n] < int(s.tokens[to].Start)
}

// kindAt is the kind of the token at participle's cursor.
func (s *session) kindAt() Kind { return s.tokens[s.index(s.stream)].Kind }

// Note [Resuming after an error]
//
// When a declaration cannot be parsed, parsing goes on at the next token that
// looks like the beginning of one: a keyword of declarations that is the first
// on its line. "let" begins declarations and local definitions, and so counts
// only when it is no further to the right than the declaration that
// failed. A brace further to the left closes the module that the declaration
// is in. When it is a module that failed, its declarations are resumed at one
// by one, and its closing brace is passed over.

// resumeAt is the index of the token at which parsing goes on when the
// declaration that begins at the token start has failed. See Note [Resuming after an error].
func (s *session) resumeAt(start int, failed *diag.Diagnostic) int {
	indent := s.columnOf(start)
	i := max(start+1, s.tokenAt(int(failed.Span.Start)))
	for i < len(s.tokens)-1 && !s.resumable(i, indent) {
		i++
	}
	return min(i, len(s.tokens)-1)
}

// resumable reports whether the i-th token looks like the beginning of a
// declaration.
func (s *session) resumable(i, indent int) bool {
	k := s.tokens[i].Kind
	switch {
	case !s.firstOnLine(i):
		return false
	case k == RightBrace:
		return s.columnOf(i) < indent
	case k == wordLet || k == HashBracket || k == DocComment || k == wordImport || k == wordVal || k == wordInclude:
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
		default:
		}
	}
	return nil
}

// ParseDec parses the one declaration in a byte range of a file, as [IndexFile]
// finds them. It returns nil after an error.
func ParseDec(at source.Span, sink *diag.Sink) Dec {
	tokens := lexPart(at, sink)
	if tokens == nil {
		return nil
	}
	s := open(at.File, tokens, sink)
	defer s.release()
	d, failed := s.parseDec()
	return finish(s, d, failed)
}

// ParseModExp parses a text that is one module expression. It returns nil
// after an error.
func ParseModExp(f *source.File, sink *diag.Sink) ModExp {
	if !readable(f, sink) {
		return nil
	}
	tokens := lexPart(f.All(), sink)
	if tokens == nil {
		return nil
	}
	s := open(f, tokens, sink)
	defer s.release()
	m, failed := s.parseModExp()
	return finish(s, m, failed)
}

// finish reports the error of a production, or that text is left after it. A
// part of what has an error is no result.
func finish[T any](s *session, out T, failed *diag.Diagnostic) T {
	var none T
	if failed == nil && s.kindAt() != EOF {
		failed = s.unexpectedAt(s.index(s.stream), "the end of the text")
	}
	switch {
	case len(s.bad) > 0: // Reported already.
		return none
	case failed != nil:
		s.sink.Report(failed)
		return none
	default:
		return out
	}
}

// ParseExp parses a text that is one expression. It returns nil after an error.
func ParseExp(f *source.File, sink *diag.Sink) Exp { return parsePart(f, sink, (*parser).exp) }

// parsePart parses all of a text by a hand-written production.
func parsePart[T any](f *source.File, sink *diag.Sink, parse func(*parser) T) (out T) {
	var none T
	if !readable(f, sink) {
		return none
	}
	p := &parser{}
	p.reset(f, lexPart(f.All(), sink))
	if p.tokens == nil {
		return none
	}
	failed := attempt(func() {
		out = parse(p)
		if p.kind() != EOF {
			p.unexpected("the end of the text")
		}
	})
	if failed != nil {
		sink.Report(failed)
		return none
	}
	return out
}

// lexPart returns the tokens of a byte range, or nil after an error.
func lexPart(at source.Span, sink *diag.Sink) []Token {
	tokens, _ := LexRange(at.File, int(at.Start), int(at.End))
	if d := bracketDepth(at.File, tokens); d != nil {
		sink.Report(d)
		return nil
	}
	return tokens
}
