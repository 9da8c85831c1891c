package literate

import (
	"fmt"
	"slices"
	"strings"

	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/tooling/script"
)

// Block is a piece of a page.
//
//sumtype:decl
type Block interface{ isBlock() }

// Text is a comment: Markdown.
type Text struct{ Text string }

// Code is definitions.
type Code struct{ Text string }

// Directive is a line that begins with `-- >`, and the parameters below it.
type Directive struct {
	// Kind is what is done with the value: "" to print it, "img", "plot2d", "gnuplot", "video", "audio".
	Kind string
	// Covert directives do not show themselves, brief ones not their parameters.
	Covert, Brief bool
	Exp           script.Exp
	// Params are the lines after the semicolon.
	Params []string
	// Line is the directive as written, without the parameters.
	Line string
	At   source.Span
}

func (*Text) isBlock()      {}
func (*Code) isBlock()      {}
func (*Directive) isBlock() {}

var codeDirective = diag.Declare(diag.Code{
	ID:  "literate-directive",
	Doc: "A directive of a literate program is none that there is, or not written as it should be.",
})

// kinds are the directives, besides that without a name.
var kinds = []string{"img", "plot2d", "gnuplot", "video", "audio"}

// line is a line of a file with the place where it begins.
type line struct {
	text string
	at   int
}

// Parse reads a program as blocks.
func Parse(f *source.File, sink *diag.Sink) []Block {
	var lines []line
	at := 0
	for text := range strings.Lines(f.Text()) {
		lines = append(lines, line{strings.TrimRight(text, "\r\n"), at})
		at += len(text)
	}
	var blocks []Block
	for len(lines) > 0 {
		isProse := prose(lines[0].text)
		n := slices.IndexFunc(lines, func(l line) bool { return prose(l.text) != isProse })
		if n < 0 {
			n = len(lines)
		}
		run := lines[:n]
		lines = lines[n:]
		switch {
		case isProse && slices.ContainsFunc(run, func(l line) bool { return l.text == "-- ==" }):
			// A test block, perhaps after text.
			end := slices.IndexFunc(run, func(l line) bool { return l.text == "-- ==" })
			blocks = comment(blocks, f, run[:end], sink)
		case isProse:
			blocks = comment(blocks, f, run, sink)
		default:
			var code []string
			for _, l := range run {
				code = append(code, l.text)
			}
			if text := strings.Trim(strings.Join(code, "\n"), "\n"); strings.TrimSpace(text) != "" {
				blocks = append(blocks, &Code{text})
			}
		}
	}
	return blocks
}

// prose reports whether a line is text: a comment at the left margin, unless it documents a definition.
func prose(l string) bool {
	return l == "--" || strings.HasPrefix(l, "-- ") && !strings.HasPrefix(l, "-- |")
}

// uncommented is a line of a comment without its signs.
func uncommented(l string) string { return strings.TrimPrefix(strings.TrimPrefix(l, "--"), " ") }

// comment splits a comment into text and directives, which follow an empty line or the beginning.
func comment(blocks []Block, f *source.File, run []line, sink *diag.Sink) []Block {
	var text []string
	flush := func() {
		if s := strings.Trim(strings.Join(text, "\n"), "\n"); strings.TrimSpace(s) != "" {
			blocks = append(blocks, &Text{s})
		}
		text = nil
	}
	for i := 0; i < len(run); i++ {
		begins := i == 0 || strings.TrimSpace(uncommented(run[i-1].text)) == ""
		if !begins || !strings.HasPrefix(run[i].text, "-- >") {
			text = append(text, uncommented(run[i].text))
			continue
		}
		flush()
		end := i + 1
		for end < len(run) && strings.TrimSpace(uncommented(run[end].text)) != "" {
			end++
		}
		if d := directive(f, run[i:end], sink); d != nil {
			blocks = append(blocks, d)
		}
		i = end - 1
	}
	flush()
	return blocks
}

// directive parses the lines of a directive.
func directive(f *source.File, run []line, sink *diag.Sink) *Directive {
	last := run[len(run)-1]
	d := &Directive{At: f.Span(run[0].at, last.at+len(last.text))}
	// The expression, in a text as long as the directive, in which all else is blank: places are computed from offsets.
	text := []byte(f.Text()[run[0].at : last.at+len(last.text)])
	blank := func(from, to int) {
		for i := from; i < to; i++ {
			text[i] = ' '
		}
	}
	for i, l := range run {
		start := l.at - run[0].at
		blank(start, start+min(3, len(l.text)))
		body := strings.TrimRight(uncommented(l.text), " ")
		d.Line += body + "\n"
		if !strings.HasSuffix(body, ";") {
			continue
		}
		for _, p := range run[i+1:] {
			d.Params = append(d.Params, uncommented(p.text))
		}
		cut := start + strings.LastIndexByte(l.text, ';')
		text, run = text[:cut], run[:i+1]
		break
	}
	d.Line = strings.TrimRight(d.Line, "\n")
	begin := strings.IndexByte(string(text), '>')
	blank(begin, begin+1)
	for {
		rest := strings.TrimLeft(string(text), " \n")
		if !strings.HasPrefix(rest, ":") {
			break
		}
		word, _, _ := strings.Cut(rest[1:], " ")
		word, _, _ = strings.Cut(word, "\n")
		start := len(text) - len(rest)
		blank(start, start+1+len(word))
		if !d.named(word) {
			sink.Errorf(codeDirective, f.Span(run[0].at+start, run[0].at+start+1+len(word)),
				"there is no directive :%s; there are: :%s, :brief, :covert", word, strings.Join(kinds, ", :"))
			return nil
		}
	}
	e, wrong := script.Parse(f.Span(run[0].at, run[0].at+len(text)), string(text))
	if wrong != nil {
		sink.Report(wrong)
		return nil
	}
	d.Exp = e
	return d
}

// named takes the word after a colon.
func (d *Directive) named(word string) bool {
	switch {
	case word == "covert" && d.Kind == "":
		d.Covert = true
	case word == "brief" && d.Kind == "":
		d.Brief = true
	case slices.Contains(kinds, word) && d.Kind == "":
		d.Kind = word
	default:
		return false
	}
	return true
}

// Calls lists the names that the directives of a page call.
func Calls(blocks []Block) []string {
	var names []string
	for _, b := range blocks {
		if d, ok := b.(*Directive); ok {
			names = append(names, script.Calls(d.Exp)...)
		}
	}
	return names
}

// params reads parameters of the form `key: value`; allowed lists the keys.
func (d *Directive) params(allowed ...string) (map[string]string, error) {
	out := map[string]string{}
	for _, p := range d.Params {
		if strings.TrimSpace(p) == "" {
			continue
		}
		at := strings.IndexAny(p, ":=")
		if at < 0 {
			return nil, fmt.Errorf("the parameter %q is not of the form `key: value`", p)
		}
		key, value := strings.TrimSpace(p[:at]), strings.TrimSpace(p[at+1:])
		if !slices.Contains(allowed, key) {
			return nil, fmt.Errorf("there is no parameter %q here; there are: %s", key, strings.Join(allowed, ", "))
		}
		out[key] = value
	}
	return out, nil
}
