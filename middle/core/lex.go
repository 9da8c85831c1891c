package core

import (
	"fmt"
	"strconv"
	"strings"

	"skald/runtime/prim"
)

// token is a lexical token of the text form: a word (name, keyword, number),
// a quoted string with its quotes, or one character of punctuation.
type token struct {
	text string
	line int
}

// syntaxError is what the parser panics with; Parse recovers it.
type syntaxError struct{ msg string }

func (e *syntaxError) Error() string { return e.msg }

func isWordByte(c byte) bool {
	return c == '_' || c == '.' || c == '\'' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// scanWord returns the length of the word at the start of s. A sign belongs to
// it at its start and after the exponent mark of a decimal number.
func scanWord(s string) int {
	i := 0
	if s[0] == '-' {
		i++
	}
	number := i < len(s) && s[i] >= '0' && s[i] <= '9'
	for i < len(s) {
		sign := (s[i] == '-' || s[i] == '+') && number && i > 0 && (s[i-1] == 'e' || s[i-1] == 'p')
		if !isWordByte(s[i]) && !sign {
			break
		}
		i++
	}
	return i
}

func lex(src string) []token {
	var toks []token
	line := 1
	for i := 0; i < len(src); {
		c := src[i]
		switch {
		case c == '\n':
			line++
			i++
		case c == ' ' || c == '\t' || c == '\r':
			i++
		case strings.HasPrefix(src[i:], "--"):
			for i < len(src) && src[i] != '\n' {
				i++
			}
		case c == '"':
			q, err := strconv.QuotedPrefix(src[i:])
			if err != nil {
				panic(&syntaxError{fmt.Sprintf("line %d: bad string", line)})
			}
			toks = append(toks, token{q, line})
			i += len(q)
		case strings.HasPrefix(src[i:], "#["):
			n := attrLen(src[i:], line)
			toks = append(toks, token{src[i : i+n], line})
			i += n
		case isWordByte(c) || c == '-':
			n := scanWord(src[i:])
			toks = append(toks, token{src[i : i+n], line})
			i += n
		default:
			toks = append(toks, token{src[i : i+1], line})
			i++
		}
	}
	return append(toks, token{"", line})
}

// attrLen is the length of the attribute that s starts with, whose brackets
// may nest.
func attrLen(s string, line int) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '[':
			depth++
		case ']':
			depth--
			if depth == 0 {
				return i + 1
			}
		}
	}
	panic(&syntaxError{fmt.Sprintf("line %d: unclosed attribute", line)})
}

// parser reads the text form of a program, a token at a time.
type parser struct {
	toks []token
	pos  int
	fun  *Fun
}

func (p *parser) fail(format string, args ...any) {
	panic(&syntaxError{fmt.Sprintf("line %d: ", p.toks[p.pos].line) + fmt.Sprintf(format, args...)})
}

func (p *parser) peek() string { return p.toks[p.pos].text }

func (p *parser) next() string {
	t := p.toks[p.pos].text
	if p.pos < len(p.toks)-1 {
		p.pos++
	}
	return t
}

// accept consumes the next token when it is text.
func (p *parser) accept(text string) bool {
	if p.peek() == text {
		p.next()
		return true
	}
	return false
}

func (p *parser) expect(texts ...string) {
	for _, text := range texts {
		if !p.accept(text) {
			p.fail("expected %q, found %q", text, p.peek())
		}
	}
}

func (p *parser) str() string {
	s, err := strconv.Unquote(p.peek())
	if err != nil || !strings.HasPrefix(p.peek(), `"`) {
		p.fail("expected a string, found %q", p.peek())
	}
	p.next()
	return s
}

func (p *parser) int() int {
	n, err := strconv.Atoi(p.peek())
	if err != nil {
		p.fail("expected a number, found %q", p.peek())
	}
	p.next()
	return n
}

// list reads items between open and closing brackets, separated by commas.
func list[T any](p *parser, open, closing string, item func() T) []T {
	p.expect(open)
	var xs []T
	for !p.accept(closing) {
		if len(xs) > 0 {
			p.expect(",")
		}
		xs = append(xs, item())
	}
	return xs
}

// maxVar bounds the variables of a function in the text form, so that a slip
// of the pen does not fill the memory.
const maxVar = 1 << 20

// parseVar splits "base_7"; ok is false for other words.
func parseVar(s string) (base string, v Var, ok bool) {
	i := strings.LastIndexByte(s, '_')
	if i <= 0 || s[0] == '-' || s[0] >= '0' && s[0] <= '9' {
		return "", 0, false
	}
	n, err := strconv.ParseInt(s[i+1:], 10, 32)
	if err != nil || n <= 0 || n > maxVar || s[i+1] == '0' || s[i+1] == '+' {
		return "", 0, false
	}
	return s[:i], Var(n), true
}

func (p *parser) named(base string, v Var) Var {
	if p.fun != nil {
		for int(v) >= len(p.fun.Names) {
			p.fun.Names = append(p.fun.Names, "")
		}
		p.fun.Names[v] = base
	}
	return v
}

func (p *parser) v() Var {
	base, v, ok := parseVar(p.peek())
	if !ok {
		p.fail("expected a variable, found %q", p.peek())
	}
	p.next()
	return p.named(base, v)
}

func (p *parser) op() Operand {
	if _, _, ok := parseVar(p.peek()); ok {
		return V(p.v())
	}
	return C(p.value())
}

func (p *parser) value() prim.Value {
	v, err := prim.ParseValue(p.peek())
	if err != nil {
		p.fail("expected an operand, found %q", p.peek())
	}
	p.next()
	return v
}

func (p *parser) prim() prim.Type {
	t, ok := prim.ParseType(p.peek())
	if !ok {
		p.fail("expected a primitive type, found %q", p.peek())
	}
	p.next()
	return t
}

func (p *parser) ops() []Operand      { return list(p, "(", ")", p.op) }
func (p *parser) vars() []Var         { return list(p, "(", ")", p.v) }
func (p *parser) sizes() []Operand    { return list(p, "[", "]", p.op) }
func (p *parser) ints() []int         { return list(p, "(", ")", p.int) }
func (p *parser) paramsList() []Param { return list(p, "(", ")", p.param) }
func (p *parser) typesList() []Type   { return list(p, "(", ")", p.typ) }
func (p *parser) oneOf(names []string) int {
	for i, n := range names {
		if p.accept(n) {
			return i
		}
	}
	p.fail("expected one of %v, found %q", names, p.peek())
	return 0
}
