package script

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"skald/frontend/diag"
	"skald/frontend/source"
)

var codeScript = diag.Declare(diag.Code{
	ID:  "script-syntax",
	Doc: "An expression in FutharkScript does not follow its grammar.",
})

// maxDepth bounds the nesting of expressions.
const maxDepth = 1000

// Parse parses an expression. The text is that of the span, or, when it is
// in comments, that text with the comment marks blanked: places are computed
// from offsets in it.
func Parse(at source.Span, text string) (e Exp, failed *diag.Diagnostic) {
	p := &parser{at: at, text: text}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *diag.Diagnostic:
			e, failed = nil, r
		default:
			panic(r)
		}
	}()
	p.space()
	e = p.exp()
	if p.pos < len(p.text) {
		p.fail("the end of the expression")
	}
	return e, nil
}

// A parser parses the text from pos on; after each token it skips space.
type parser struct {
	at    source.Span
	text  string
	pos   int
	depth int
}

// fail raises an error at the current place.
func (p *parser) fail(want string) {
	_, n := utf8.DecodeRuneInString(p.text[p.pos:])
	panic(diag.New(codeScript, p.span(p.pos, p.pos+n), "expected %s", want))
}

// span is the range between two offsets of the text.
func (p *parser) span(start, end int) source.Span {
	base := int(p.at.Start)
	return p.at.File.Span(base+start, base+end)
}

// node is the header of an expression that began at start and ends before the
// space that precedes the current place.
func (p *parser) node(start int) node {
	end := start + len(strings.TrimRightFunc(p.text[start:p.pos], unicode.IsSpace))
	return node{p.span(start, end)}
}

// space skips white space.
func (p *parser) space() {
	for p.pos < len(p.text) {
		r, n := utf8.DecodeRuneInString(p.text[p.pos:])
		if !unicode.IsSpace(r) {
			return
		}
		p.pos += n
	}
}

// peek is the next byte, zero at the end.
func (p *parser) peek() byte {
	if p.pos < len(p.text) {
		return p.text[p.pos]
	}
	return 0
}

// got passes a punctuation mark if it is next.
func (p *parser) got(c byte) bool {
	if p.peek() != c {
		return false
	}
	p.pos++
	p.space()
	return true
}

// expect passes a punctuation mark or fails.
func (p *parser) expect(c byte) {
	if !p.got(c) {
		p.fail("'" + string(c) + "'")
	}
}

// nameAt is the end of the name at an offset, or that offset if there is none.
func (p *parser) nameAt(i int) int {
	start := i
	for i < len(p.text) {
		r, n := utf8.DecodeRuneInString(p.text[i:])
		if !unicode.IsLetter(r) && (i == start || !unicode.IsDigit(r) && r != '_' && r != '\'') {
			break
		}
		i += n
	}
	return i
}

// word reports whether a name is next, and which.
func (p *parser) word() string { return p.text[p.pos:p.nameAt(p.pos)] }

// keyword passes a reserved word if it is next.
func (p *parser) keyword(w string) bool {
	if p.word() != w {
		return false
	}
	p.pos += len(w)
	p.space()
	return true
}

// name passes a name that is not reserved.
func (p *parser) name() string {
	w := p.word()
	if w == "" || w == "let" || w == "in" {
		p.fail("a name")
	}
	p.pos += len(w)
	p.space()
	return w
}

// exp parses an expression.
func (p *parser) exp() Exp {
	if p.depth++; p.depth > maxDepth {
		p.fail("less nesting")
	}
	defer func() { p.depth-- }()
	start := p.pos
	if p.keyword("let") {
		return p.let(start)
	}
	if end := p.nameAt(p.pos); end > p.pos && end < len(p.text) && p.text[end] == '[' {
		return p.index()
	}
	head := p.atom()
	call, ok := head.(*Call)
	if !ok {
		return head
	}
	var args []Exp
	for p.startsAtom() {
		args = append(args, p.atom())
	}
	if args == nil {
		return head
	}
	return &Call{node: p.node(start), Func: call.Func, Builtin: call.Builtin, Args: args}
}

// let parses what follows the word let.
func (p *parser) let(start int) Exp {
	l := &Let{}
	if p.got('(') {
		l.Tuple = true
		for p.peek() != ')' {
			l.Names = append(l.Names, p.name())
			if !p.got(',') {
				break
			}
		}
		p.expect(')')
	} else {
		l.Names = []string{p.name()}
	}
	p.expect('=')
	l.Value = p.exp()
	if p.word() == "let" {
		l.Body = p.exp()
	} else if p.keyword("in") {
		l.Body = p.exp()
	} else {
		p.fail("'in'")
	}
	l.node = p.node(start)
	return l
}

// index parses a name with indices.
func (p *parser) index() Exp {
	start := p.pos
	name := p.name()
	array := &Call{node: p.node(start), Func: name}
	p.expect('[')
	var indices []Exp
	for p.peek() != ']' {
		indices = append(indices, p.exp())
		if !p.got(',') {
			break
		}
	}
	p.expect(']')
	return &Index{node: p.node(start), Array: array, Indices: indices}
}

// startsAtom reports whether an argument is next.
func (p *parser) startsAtom() bool {
	switch c := p.peek(); {
	case c == '(' || c == '{' || c == '"' || c == '[' || c == '$' || c == '-' || '0' <= c && c <= '9':
		return true
	default:
		w := p.word()
		return w != "" && w != "let" && w != "in"
	}
}

// atom parses an expression that needs no parentheses as an argument.
func (p *parser) atom() Exp {
	start := p.pos
	e := p.primary()
	for p.got('.') {
		end := p.pos
		for c := p.peek(); '0' <= c && c <= '9'; c = p.peek() {
			p.pos++
		}
		field := p.text[end:p.pos]
		p.space()
		if field == "" {
			field = p.name()
		}
		e = &Project{node: p.node(start), Exp: e, Field: field}
	}
	return e
}

// primary parses an atom without the fields behind it.
func (p *parser) primary() Exp {
	start := p.pos
	switch c := p.peek(); {
	case c == '(':
		return p.parens()
	case c == '{':
		return p.record()
	case c == '"':
		return p.str()
	case c == '$':
		p.pos++
		name := p.name()
		return &Call{node: p.node(start), Func: name, Builtin: true}
	}
	if end := p.constEnd(); end > start {
		p.pos = end
		p.space()
		return &Const{node: node{p.span(start, end)}, Text: p.text[start:end]}
	}
	if p.word() == "" {
		p.fail("an expression")
	}
	name := p.name()
	return &Call{node: p.node(start), Func: name}
}

// parens parses a tuple, or an expression in parentheses.
func (p *parser) parens() Exp {
	start := p.pos
	p.expect('(')
	var elems []Exp
	for p.peek() != ')' {
		elems = append(elems, p.exp())
		if !p.got(',') {
			break
		}
	}
	p.expect(')')
	if len(elems) == 1 {
		return elems[0]
	}
	return &Tuple{node: p.node(start), Elems: elems}
}

// record parses a record.
func (p *parser) record() Exp {
	start := p.pos
	p.expect('{')
	r := &Record{}
	for p.peek() != '}' {
		name := p.name()
		p.expect('=')
		r.Fields = append(r.Fields, Field{Name: name, Value: p.exp()})
		if !p.got(',') {
			break
		}
	}
	p.expect('}')
	r.node = p.node(start)
	return r
}

// str parses a string.
func (p *parser) str() Exp {
	start := p.pos
	for p.pos++; ; p.pos++ {
		switch p.peek() {
		case '"':
			p.pos++
			value, err := strconv.Unquote(p.text[start:p.pos])
			if err != nil {
				p.pos = start
				p.fail("a string with valid escapes")
			}
			n := node{p.span(start, p.pos)}
			p.space()
			return &String{node: n, Value: value}
		case '\\':
			p.pos++
		case 0:
			if p.pos >= len(p.text) {
				p.pos = start
				p.fail("a string that is closed")
			}
		}
	}
}

// constEnd is the end of the constant at the current place, or that place if
// there is none.
func (p *parser) constEnd() int {
	i := p.pos
	switch c := p.peek(); {
	case c == '[':
		return p.brackets()
	case c == '-' || '0' <= c && c <= '9':
		return p.number()
	}
	switch w := p.word(); w {
	case "true", "false":
		return i + len(w)
	case "f16", "f32", "f64":
		for _, special := range []string{".nan", ".inf"} {
			if strings.HasPrefix(p.text[i+len(w):], special) {
				return i + len(w) + len(special)
			}
		}
	case "empty":
		if rest := strings.TrimLeft(p.text[i+len(w):], " "); strings.HasPrefix(rest, "(") {
			if n := strings.IndexByte(rest, ')'); n >= 0 {
				return len(p.text) - len(rest) + n + 1
			}
		}
	}
	return i
}

// number is the end of the number at the current place.
func (p *parser) number() int {
	i := p.pos
	if p.text[i] == '-' {
		i++
	}
	hex := strings.HasPrefix(p.text[i:], "0x") || strings.HasPrefix(p.text[i:], "0X")
	for i < len(p.text) {
		c := p.text[i]
		exponent := !hex && (c == 'e' || c == 'E') || hex && (c == 'p' || c == 'P')
		if exponent && i+1 < len(p.text) && (p.text[i+1] == '-' || p.text[i+1] == '+') {
			i += 2
			continue
		}
		if c != '_' && c != '.' && !('0' <= c && c <= '9') && !('a' <= c|0x20 && c|0x20 <= 'z') {
			break
		}
		i++
	}
	if i == p.pos+1 && p.text[p.pos] == '-' {
		// A sign before a special value, as in -f32.inf.
		for _, special := range []string{"f16.inf", "f32.inf", "f64.inf"} {
			if strings.HasPrefix(p.text[i:], special) {
				return i + len(special)
			}
		}
		return p.pos
	}
	return i
}

// brackets is the end of the array at the current place.
func (p *parser) brackets() int {
	depth := 0
	for i := p.pos; i < len(p.text); i++ {
		switch p.text[i] {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	p.fail("an array that is closed")
	return p.pos
}
