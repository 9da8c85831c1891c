package syntax

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"skald/frontend/source"
)

// Lex splits a file's text into tokens, of which the last is always EOF, and
// ordinary comments. It never fails: text that is no token becomes a token of
// kind Bad, for the parser to complain about.
func Lex(f *source.File) (tokens []Token, comments []Comment) {
	return LexRange(f, 0, f.Size())
}

// LexRange does the same for a byte range of a file; the range must begin and
// end between tokens.
func LexRange(f *source.File, start, end int) (tokens []Token, comments []Comment) {
	l := scanner{text: f.Text()[:end], pos: start}
	tokens = make([]Token, 0, (end-start)/4+8)
	for {
		t := l.next()
		if t.Kind == kindComment {
			at := f.Span(int(t.Start), int(t.End))
			comments = append(comments, Comment{Text: at.Text(), At: at})
			continue
		}
		tokens = append(tokens, t)
		if t.Kind == EOF {
			return tokens, comments
		}
	}
}

// kindComment marks an ordinary comment within the lexer; it never leaves it.
const kindComment = kindCount

// Character classes, one bit each.
const (
	classLetter = 1 << iota // a-z A-Z
	classDigit              // 0-9
	classWord               // what may follow in an identifier: letters, digits, _ and '
	classOper               // + - * / % = ! > < | & ^ .
	classSpace
	classHex
)

// class holds the classes of the ASCII characters; other bytes have none.
var class = func() (t [256]uint8) {
	for c := range 256 {
		b := byte(c)
		if 'a' <= b|0x20 && b|0x20 <= 'z' && c < 128 {
			t[c] |= classLetter | classWord
		}
		if '0' <= b && b <= '9' {
			t[c] |= classDigit | classWord | classHex
		}
		if 'a' <= b|0x20 && b|0x20 <= 'f' && c < 128 {
			t[c] |= classHex
		}
	}
	t['_'] |= classWord
	t['\''] |= classWord
	for _, c := range []byte("+-*/%=!><|&^.") {
		t[c] |= classOper
	}
	for _, c := range []byte(" \t\n\v\f\r") {
		t[c] |= classSpace
	}
	return t
}()

// A scanner is the state of lexing one text.
type scanner struct {
	text string
	pos  int
	// plain says that up to here no identifier begins a qualified operator,
	// so that a long chain a.b.c… is looked through only once.
	plain int
}

// at is the byte at an offset, zero past the end.
func (l *scanner) at(i int) byte {
	if i < len(l.text) {
		return l.text[i]
	}
	return 0
}

// is reports whether the byte at an offset is of a class.
func (l *scanner) is(i int, c uint8) bool { return i < len(l.text) && class[l.text[i]]&c != 0 }

// token makes a token from start to the given end and moves past it.
func (l *scanner) token(k Kind, start, end int) Token {
	l.pos = end
	return Token{Kind: k, Start: int32(start), End: int32(end)}
}

// next returns the next token or comment.
func (l *scanner) next() Token {
	text, i := l.text, l.pos
	for i < len(text) && class[text[i]]&classSpace != 0 {
		i++
	}
	if i >= len(text) {
		return l.token(EOF, len(text), len(text))
	}
	c := text[i]
	switch {
	case class[c]&classLetter != 0:
		return l.word(i)
	case class[c]&classDigit != 0:
		return l.number(i)
	case c == '-' && l.at(i+1) == '-':
		return l.comment(i)
	case c == '.':
		return l.dots(i)
	case class[c]&classOper != 0:
		return l.operator(i, i)
	default:
		return l.symbol(i, c)
	}
}

// identEnd is the end of the identifier that begins at i, or i if none does.
func (l *scanner) identEnd(i int) int {
	switch {
	case l.is(i, classLetter):
	case l.at(i) == '_' && l.is(i+1, classLetter|classDigit):
	default:
		return i
	}
	for l.is(i, classWord) {
		i++
	}
	return i
}

// word scans an identifier, a reserved word, or a qualified operator.
func (l *scanner) word(start int) Token {
	end := l.identEnd(start)
	if l.at(end) == '.' && start >= l.plain {
		if op := l.qualified(end); op > 0 {
			return l.operator(start, op)
		}
	}
	return l.token(keyword(l.text[start:end]), start, end)
}

// qualified returns where the operator begins in a chain of names and dots
// whose first name ends at end, or zero if the chain does not end in one.
func (l *scanner) qualified(end int) int {
	for l.at(end) == '.' {
		next := l.identEnd(end + 1)
		if next == end+1 {
			if c := l.at(next); c != '.' && l.is(next, classOper) {
				return next
			}
			break
		}
		end = next
	}
	l.plain = end
	return 0
}

// operator scans an operator that begins at op, with qualifiers from start on.
func (l *scanner) operator(start, op int) Token {
	end := op + 1
	for l.is(end, classOper) {
		end++
	}
	t := l.token(Operator, start, end)
	text := l.text[op:end]
	t.Fix = OperatorFixity(text)
	if start == op {
		switch text {
		case "=":
			t.Kind, t.Fix = Equals, fixNone
		case "->":
			t.Kind, t.Fix = Arrow, fixNone
		case "!":
			t.Kind, t.Fix = Bang, fixNone
		case "-":
			t.Kind = Minus
		case "*":
			t.Kind = Star
		case "<":
			t.Kind = Less
		case "^":
			t.Kind = Hat
		case "|":
			t.Kind = Pipe
		}
	}
	return t
}

// comment scans a line comment, or a whole documentation comment.
func (l *scanner) comment(start int) Token {
	end := l.lineEnd(start)
	if !strings.HasPrefix(l.text[start:], "-- |") {
		return l.token(kindComment, start, end)
	}
	for end < len(l.text) {
		i := end + 1
		for l.is(i, classSpace) && l.text[i] != '\n' {
			i++
		}
		if !strings.HasPrefix(l.text[min(i, len(l.text)):], "--") {
			break
		}
		end = l.lineEnd(i)
	}
	return l.token(DocComment, start, end)
}

// lineEnd is the offset of the newline that ends the line of offset i.
func (l *scanner) lineEnd(i int) int {
	if n := strings.IndexByte(l.text[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(l.text)
}

// dots scans what begins with a dot.
func (l *scanner) dots(i int) Token {
	switch {
	case l.at(i+1) != '.':
		return l.token(Dot, i, i+1)
	case l.at(i+2) == '.':
		return l.token(DotDotDot, i, i+3)
	case l.at(i+2) == '<':
		return l.token(DotDotLess, i, i+3)
	case l.at(i+2) == '>':
		return l.token(DotDotGreater, i, i+3)
	default:
		return l.token(DotDot, i, i+2)
	}
}

// symbol scans a token that begins with c, which is no letter, digit, dot or
// operator character.
func (l *scanner) symbol(i int, c byte) Token {
	switch c {
	case '(':
		return l.token(LeftParen, i, i+1)
	case ')':
		return l.token(RightParen, i, i+1)
	case '[':
		if i > 0 && indexable(l.text[i-1]) {
			return l.token(IndexBracket, i, i+1)
		}
		return l.token(LeftBracket, i, i+1)
	case ']':
		return l.token(RightBracket, i, i+1)
	case '{':
		return l.token(LeftBrace, i, i+1)
	case '}':
		return l.token(RightBrace, i, i+1)
	case ',':
		return l.token(Comma, i, i+1)
	case '?':
		if l.at(i+1) == '?' && l.at(i+2) == '?' {
			return l.token(HoleText, i, i+3)
		}
		return l.token(Question, i, i+1)
	case ':':
		if l.at(i+1) == '>' {
			return l.token(ColonGreater, i, i+2)
		}
		return l.token(Colon, i, i+1)
	case '\\':
		return l.token(Backslash, i, i+1)
	case '~':
		return l.token(Tilde, i, i+1)
	case '`':
		return l.token(Backtick, i, i+1)
	case '_':
		if l.identEnd(i) > i {
			return l.word(i)
		}
		return l.token(Underscore, i, i+1)
	case '#':
		return l.hash(i)
	case '\'':
		return l.quote(i)
	case '"':
		return l.quoted(i)
	default:
		_, n := utf8.DecodeRuneInString(l.text[i:])
		return l.token(Bad, i, i+n)
	}
}

// indexable reports whether a bracket directly after the character c indexes.
func indexable(c byte) bool { return class[c]&classWord != 0 || c == ')' || c == ']' }

// hash scans a constructor or the beginning of an attribute.
func (l *scanner) hash(i int) Token {
	if l.at(i+1) == '[' {
		return l.token(HashBracket, i, i+2)
	}
	if end := l.identEnd(i + 1); end > i+1 {
		return l.token(Constructor, i, end)
	}
	return l.token(Bad, i, i+1)
}

// quote scans a character literal or the mark of a type parameter.
func (l *scanner) quote(i int) Token {
	if end := l.charEnd(i + 1); end > 0 {
		return l.token(CharText, i, end)
	}
	switch l.at(i + 1) {
	case '^':
		return l.token(QuoteHat, i, i+2)
	case '~':
		return l.token(QuoteTilde, i, i+2)
	default:
		return l.token(Quote, i, i+1)
	}
}

// charEnd is the end of the character literal whose contents begin at i, or
// zero when it is none.
func (l *scanner) charEnd(i int) int {
	if l.at(i) == '\\' {
		i++
		if l.is(i, classDigit) {
			for l.is(i, classDigit) {
				i++
			}
		} else if n := l.printable(i); n > 0 {
			i += n
		} else {
			return 0
		}
	} else if n := l.printable(i); n > 0 && l.text[i] != '\'' {
		i += n
	} else {
		return 0
	}
	if l.at(i) == '\'' {
		return i + 1
	}
	return 0
}

// printable is the length of the printable character at i, or zero.
func (l *scanner) printable(i int) int {
	if i >= len(l.text) {
		return 0
	}
	r, n := utf8.DecodeRuneInString(l.text[i:])
	if !unicode.IsPrint(r) || r == utf8.RuneError && n == 1 {
		return 0
	}
	return n
}

// quoted scans a string; one that is not closed on its line is Bad up to the
// end of the line.
func (l *scanner) quoted(start int) Token {
	for i := start + 1; i < len(l.text); i++ {
		switch l.text[i] {
		case '"':
			return l.token(StringText, start, i+1)
		case '\\':
			if l.at(i+1) != '\n' {
				i++
			}
		case '\n':
			return l.token(Bad, start, i)
		}
	}
	return l.token(Bad, start, len(l.text))
}
