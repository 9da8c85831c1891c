package imp

import (
	"fmt"
	"strconv"
	"strings"
)

// lexer splits the text form into words, numbers, strings and punctuation.
type lexer struct {
	src  string
	pos  int
	tok  string // the current token; "" at the end
	line int
	last int // the line of the token before the current one
}

// syntaxError is what panics on malformed text; Parse recovers it.
type syntaxError struct{ error }

func (l *lexer) fail(format string, args ...any) {
	panic(syntaxError{fmt.Errorf("line %d: %s", max(l.last, 1), fmt.Sprintf(format, args...))})
}

func isWord(c byte) bool {
	return c == '_' || c == '.' || c == '\'' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' ||
		c >= 'A' && c <= 'Z' || c >= 0x80
}

// next moves to the next token.
func (l *lexer) next() {
	l.last = l.line
	for l.pos < len(l.src) && strings.IndexByte(" \t\n", l.src[l.pos]) >= 0 {
		if l.src[l.pos] == '\n' {
			l.line++
		}
		l.pos++
	}
	start := l.pos
	if l.pos == len(l.src) {
		l.tok = ""
		return
	}
	switch c := l.src[l.pos]; {
	case c == '"':
		l.pos++
		for l.pos < len(l.src) && l.src[l.pos] != '"' {
			if l.src[l.pos] == '\\' {
				l.pos++
			}
			l.pos++
		}
		l.pos = min(l.pos+1, len(l.src))
	case isWord(c):
		for l.pos < len(l.src) && isWord(l.src[l.pos]) {
			l.pos++
		}
	case c == '-' && l.pos+1 < len(l.src) && (l.src[l.pos+1] == '>' || isWord(l.src[l.pos+1])):
		l.pos += 2
		for l.src[l.pos-1] != '>' && l.pos < len(l.src) && isWord(l.src[l.pos]) {
			l.pos++
		}
	default:
		l.pos++
	}
	l.tok = l.src[start:l.pos]
}

// take returns the current token and moves on.
func (l *lexer) take() string {
	t := l.tok
	if t == "" {
		l.fail("unexpected end")
	}
	l.next()
	return t
}

// word takes a name.
func (l *lexer) word() string {
	if l.tok == "" || !isWord(l.tok[0]) {
		l.fail("expected a name, found %q", l.tok)
	}
	return l.take()
}

// accept moves on if the current token is t.
func (l *lexer) accept(t string) bool {
	if l.tok != t {
		return false
	}
	l.next()
	return true
}

func (l *lexer) expect(t string) {
	if !l.accept(t) {
		l.fail("expected %q, found %q", t, l.tok)
	}
}

func (l *lexer) str() string {
	s, err := strconv.Unquote(l.tok)
	if err != nil {
		l.fail("expected a string, found %q", l.tok)
	}
	l.next()
	return s
}

func (l *lexer) int() int64 {
	n, err := strconv.ParseInt(l.tok, 10, 64)
	if err != nil {
		l.fail("expected a number, found %q", l.tok)
	}
	l.next()
	return n
}

// list parses "(" item "," item ... ")".
func list[T any](l *lexer, item func() T) []T {
	l.expect("(")
	var out []T
	for l.tok != ")" {
		if len(out) > 0 {
			l.expect(",")
		}
		out = append(out, item())
	}
	l.expect(")")
	return out
}

// items parses item "," item ... up to a token that is no comma.
func items[T any](l *lexer, item func() T) []T {
	out := []T{item()}
	for l.accept(",") {
		out = append(out, item())
	}
	return out
}
