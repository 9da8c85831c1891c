package lsp

import (
	"regexp"
	"strings"

	"go.lsp.dev/protocol"

	"skald/frontend/diag"
	"skald/frontend/format"
	"skald/frontend/source"
)

func (s *server) formatting(p *protocol.DocumentFormattingParams) (any, error) {
	d, err := s.open(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	var sink diag.Sink
	text, ok := format.Source(d.file, &sink)
	if !ok {
		return nil, refused("cannot format a program with syntax errors: %s", sink.Sorted()[0].Error())
	}
	return lineEdits(d.file, text), nil
}

// lineEdits replaces the lines between those that a text has in common with another at the beginning and at the end.
func lineEdits(f *source.File, text string) []protocol.TextEdit {
	old, now := strings.SplitAfter(f.Text(), "\n"), strings.SplitAfter(text, "\n")
	first := 0
	for first < len(old) && first < len(now) && old[first] == now[first] {
		first++
	}
	behind := 0
	for behind < len(old)-first && behind < len(now)-first && old[len(old)-1-behind] == now[len(now)-1-behind] {
		behind++
	}
	if first == len(old) && first == len(now) {
		return []protocol.TextEdit{}
	}
	from := len(strings.Join(old[:first], ""))
	to := from + len(strings.Join(old[first:len(old)-behind], ""))
	return []protocol.TextEdit{{
		Range: rangeOf(f.Span(from, to)), NewText: strings.Join(now[first:len(now)-behind], ""),
	}}
}

func (s *server) codeActions(p *protocol.CodeActionParams) (any, error) {
	d, err := s.open(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	from, to := offsetOf(d.file, p.Range.Start), offsetOf(d.file, p.Range.End)
	out := []protocol.CodeAction{}
	for _, m := range d.messages() {
		if m.Span.File != d.file || int(m.Span.End) < from || int(m.Span.Start) > to {
			continue
		}
		for _, f := range d.fixes(m) {
			title := "Replace " + f.Span.Brief() + " by " + f.Text
			if f.Span.Text() == "" {
				title = "Insert " + f.Text
			}
			out = append(out, protocol.CodeAction{
				Title: title, Kind: protocol.QuickFix, Diagnostics: []protocol.Diagnostic{d.describe(m)},
				Edit: &protocol.WorkspaceEdit{Changes: map[protocol.DocumentURI][]protocol.TextEdit{
					d.address: {{Range: rangeOf(f.Span), NewText: f.Text}},
				}},
			})
		}
	}
	return out, nil
}

// conversions is the hint that names the functions between two types of numbers.
var conversions = regexp.MustCompile(`^(\S+) makes a value of type .* of one of type .*, and (\S+) the other way round$`)

// fixes are the corrections of what a diagnostic is about. The checker knows some; of conversions it does not know which way round is
// meant: those are offered that leave fewer errors.
func (d *document) fixes(m *diag.Diagnostic) []diag.Fix {
	if m.Fix != nil {
		if m.Fix.Span.File != d.file || alsoField(m.Fix.Span) {
			return nil
		}
		return []diag.Fix{*m.Fix}
	}
	found := conversions.FindStringSubmatch(m.Hint)
	if found == nil {
		return nil
	}
	var out []diag.Fix
	before := d.errors(d.file)
	for _, f := range found[1:] {
		fix := diag.Fix{Span: m.Span, Text: "(" + f + " " + argument(m.Span.Text()) + ")"}
		text := d.file.Text()
		tried := source.NewFile(d.path, text[:m.Span.Start]+fix.Text+text[m.Span.End:])
		if d.errors(tried) < before {
			out = append(out, fix)
		}
	}
	if before >= 0 {
		d.recheck(0)
	}
	return out
}

// plainArgument is what may be an argument without parentheses.
var plainArgument = regexp.MustCompile(`^[A-Za-z0-9_.']+$|^\([^()]*\)$`)

func argument(text string) string {
	if plainArgument.MatchString(text) {
		return text
	}
	return "(" + text + ")"
}

// errors counts the errors in a version of the document.
func (d *document) errors(f *source.File) int {
	parts, said := d.check.Check(f)
	n := 0
	for _, m := range said {
		if m.IsError() {
			n++
		}
	}
	for _, p := range parts {
		for _, m := range p.Diagnostics {
			if m.IsError() {
				n++
			}
		}
	}
	return n
}
