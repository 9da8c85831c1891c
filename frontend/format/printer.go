package format

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"skald/frontend/source"
	"skald/frontend/syntax"
)

// Note [Tokens drive the formatter]
//
// The formatter walks over the tree, but what it writes are the tokens of the
// source, in their order: the tree says only what comes between them (nothing,
// a space, a line break) and how far lines are indented. So it cannot write
// anything that was not there, and at each token it knows which comments come
// before it.

// A printer writes the tokens of a program with new layout: see Note [Tokens drive the formatter].
type printer struct {
	file     *source.File
	text     string
	tokens   []syntax.Token
	next     int
	comments []syntax.Comment
	comment  int

	out     strings.Builder
	written []string // the tokens written, without documentation
	col     int
	indent  int

	// What comes before the next token: a space, or a line break, or a line
	// break and an empty line; with keep the break has an empty line if the
	// source has one there.
	space, brk, force, keep bool
	// last is where in the source the last thing written ends.
	last int32
	// plain says that the last thing written is a token, no comment.
	plain bool
}

// fail stops: the tree and the tokens do not agree.
func (p *printer) fail(want string) {
	panic(mismatch{fmt.Sprintf("expected %s at %v", want, p.at(p.tokens[p.next]))})
}

// at is the range of a token.
func (p *printer) at(t syntax.Token) source.Span { return p.file.Span(int(t.Start), int(t.End)) }

// str is the text of the token that is next.
func (p *printer) str() string {
	t := p.tokens[p.next]
	return p.text[t.Start:t.End]
}

// is reports whether the next token has that text.
func (p *printer) is(s string) bool { return p.str() == s }

// tok writes the next token.
func (p *printer) tok() { p.write(p.str()) }

// want writes the next token, which must be that one.
func (p *printer) want(s string) {
	if !p.is(s) {
		p.fail(s)
	}
	p.tok()
}

// skip passes the next token without writing it if it is that one.
func (p *printer) skip(s string) {
	if p.is(s) {
		p.next++
	}
}

// write writes a text in the place of the next token, after the comments that
// come before it.
func (p *printer) write(text string) {
	t := p.tokens[p.next]
	if t.Kind == syntax.EOF {
		p.fail("a token")
	}
	p.flush(t.Start)
	if isOperator(t.Kind) && p.next > 0 && isOperator(p.tokens[p.next-1].Kind) {
		p.spaced() // Two operators without space between would be one.
	}
	p.separate(t.Start)
	if t.Kind == syntax.DocComment {
		p.docLines(text)
	} else {
		p.written = append(p.written, text)
		p.put(text)
	}
	p.next++
	p.last, p.plain = t.End, true
	if t.Kind == syntax.DocComment {
		p.brk, p.keep = true, true
	}
}

// isOperator reports whether tokens of a kind consist of operator characters.
func isOperator(k syntax.Kind) bool {
	return syntax.Operator <= k && k <= syntax.Equals || k == syntax.Arrow
}

// put writes text at the current place.
func (p *printer) put(s string) {
	p.out.WriteString(s)
	p.col += utf8.RuneCountInString(s)
}

// separate writes what comes before something that begins at start in the
// source.
func (p *printer) separate(start int32) {
	switch {
	case p.brk && p.out.Len() > 0:
		p.newline(p.force || (p.keep || !p.plain) && p.emptyLine(start))
	case p.space && p.out.Len() > 0:
		p.put(" ")
	}
	p.space, p.brk, p.force, p.keep = false, false, false, false
}

// Whether an empty line comes first.
const directly = false

// Whether parts are on lines of their own.
const onLines, inOneLine = true, false

// newline begins a line, perhaps after an empty one.
func (p *printer) newline(empty bool) {
	p.out.WriteByte('\n')
	if empty {
		p.out.WriteByte('\n')
	}
	p.out.WriteString(strings.Repeat(" ", p.indent))
	p.col = p.indent
}

// emptyLine reports whether the source has an empty line between the last
// thing written and start.
func (p *printer) emptyLine(start int32) bool {
	return p.last < start && strings.Count(p.text[p.last:start], "\n") > 1
}

// flush writes the comments that begin before an offset of the source.
func (p *printer) flush(before int32) {
	for p.comment < len(p.comments) && p.comments[p.comment].At.Start < before {
		c := p.comments[p.comment]
		p.comment++
		text := strings.TrimRight(c.Text, " \t\r\v\f")
		trailing := p.out.Len() > 0 && !strings.Contains(p.text[p.last:c.At.Start], "\n")
		if trailing {
			if p.space || p.col > 0 && !strings.HasSuffix(p.out.String()[p.out.Len()-1:], "(") {
				p.put(" ")
			}
			p.put(text)
			p.space = false
		} else {
			p.brk = true
			p.keep = true
			p.separate(c.At.Start)
			p.put(text)
		}
		p.brk = true
		p.last, p.plain = c.At.End, false
	}
}

// docLines writes a documentation comment, its lines one below the other.
func (p *printer) docLines(text string) {
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			p.newline(directly)
		}
		p.put(strings.TrimSpace(line))
	}
}

// spaced asks for a space before the next token.
func (p *printer) spaced() { p.space = true }

// line asks for a line break before the next token, or else a space.
func (p *printer) line(broken bool) {
	if broken {
		p.brk = true
	} else {
		p.space = true
	}
}

// keepLine is line, and an empty line in the source stays.
func (p *printer) keepLine(broken bool) {
	p.line(broken)
	p.keep = broken
}

// align writes something whose further lines begin below its first token.
func (p *printer) align(f func()) {
	saved := p.indent
	if !p.brk {
		p.indent = p.col
		if p.space {
			p.indent++
		}
	}
	f()
	p.indent = saved
}

// nest writes something with two more spaces of indentation.
func (p *printer) nest(f func()) {
	p.indent += 2
	f()
	p.indent -= 2
}

// nestLine writes something on a line of its own, indented, or else after a
// space.
func (p *printer) nestLine(broken bool, f func()) {
	if !broken {
		p.spaced()
		f()
		return
	}
	p.nest(func() {
		p.brk = true
		f()
	})
}

// lines reports whether the source from one place to another is more than one
// line.
func (p *printer) lines(from, to source.Span) bool {
	return strings.Contains(p.text[from.Start:max(from.Start, to.End)], "\n")
}

// broken reports whether something is more than one line in the source.
func (p *printer) broken(s interface{ Span() source.Span }) bool { return p.lines(s.Span(), s.Span()) }

// breakAfter reports whether a line break follows the last token written.
func (p *printer) breakAfter() bool {
	return strings.Contains(p.text[p.last:p.tokens[p.next].Start], "\n")
}

// qualName writes a name with its qualifiers.
func (p *printer) qualName(q syntax.QualName) {
	for range q.Quals {
		p.tok()
		p.want(".")
	}
	p.tok()
}

// An argument of list.
const listOnOneLine = false

// list writes elements between brackets. Broken lists have a line for each
// element, with the comma in front.
func (p *printer) list(open, end string, n int, broken bool, item func(i int)) {
	if n == 0 || !broken {
		p.want(open)
		for i := range n {
			if i > 0 {
				p.want(",")
				p.spaced()
			}
			item(i)
		}
		p.skip(",")
		p.want(end)
		return
	}
	p.align(func() {
		p.want(open)
		p.spaced()
		for i := range n {
			if i > 0 {
				p.comma()
			}
			p.align(func() { item(i) })
		}
		p.lastComma()
		p.brk = true
		p.want(end)
	})
}

// comma writes a comma at the beginning of a line.
func (p *printer) comma() {
	p.beforeComma()
	p.brk = true
	p.want(",")
	p.spaced()
}

// beforeComma writes the comments that follow the next token, a comma, before
// it: most are about the element that the comma ends.
func (p *printer) beforeComma() { p.flush(p.tokens[p.next+1].Start) }

// lastComma passes a comma behind the last element.
func (p *printer) lastComma() {
	if p.is(",") {
		p.beforeComma()
		p.next++
	}
}

// attr writes an attribute.
func (p *printer) attr(a *syntax.Attr) {
	p.want("#[")
	p.attrInfo(a)
	p.want("]")
}

// attrInfo writes what is in an attribute's brackets.
func (p *printer) attrInfo(a *syntax.Attr) {
	p.tok()
	if a.Call {
		p.list("(", ")", len(a.Args), listOnOneLine, func(i int) { p.attrInfo(a.Args[i]) })
	}
}
