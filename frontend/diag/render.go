package diag

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"skald/frontend/source"
)

// Text writes diagnostics for people: the message, the source line with the
// place underlined, then notes with their own snippets, and the hint.
//
//	error: unknown name "yy" [unknown-name]
//	  --> a.fut:1:15-16
//	  |
//	1 | def f x = x + yy
//	  |               ^^
//	  = hint: did you mean "y"?
func Text(w io.Writer, list []*Diagnostic) error {
	for i, d := range list {
		var b strings.Builder
		if i > 0 {
			b.WriteByte('\n')
		}
		d.text(&b)
		if _, err := io.WriteString(w, b.String()); err != nil {
			return err
		}
	}
	return nil
}

// text writes one diagnostic.
func (d *Diagnostic) text(b *strings.Builder) {
	fmt.Fprintf(b, "%s: %s", d.Severity, d.Message)
	if d.Code != nil {
		fmt.Fprintf(b, " [%s]", d.Code)
	}
	b.WriteByte('\n')
	margin := d.margin()
	if !d.Span.Valid() && d.Place != "" {
		fmt.Fprintf(b, "%s--> %s\n", pad(margin), d.Place)
	}
	snippet(b, d.Span, margin, '^')
	for _, n := range d.Notes {
		fmt.Fprintf(b, "%s= note: %s\n", pad(margin), indent(n.Message, margin))
		snippet(b, n.Span, margin, '-')
	}
	if d.Hint != "" {
		fmt.Fprintf(b, "%s= hint: %s\n", pad(margin), indent(d.Hint, margin))
	}
}

// Place writes a place in a source file, with a line above that says what it is.
func Place(w io.Writer, at source.Span, what string) error {
	var b strings.Builder
	b.WriteString(what + "\n")
	snippet(&b, at, len(fmt.Sprint(at.Last().Line)), '^')
	_, err := io.WriteString(w, b.String())
	return err
}

// margin is the width of the widest line number that the diagnostic shows.
func (d *Diagnostic) margin() int {
	line := d.Span.Last().Line
	for _, n := range d.Notes {
		line = max(line, n.Span.Last().Line)
	}
	return len(fmt.Sprint(line))
}

// pad is the space in place of a line number and what follows it.
func pad(margin int) string { return strings.Repeat(" ", margin+1) }

// indent moves the lines of a message after the first under it.
func indent(msg string, margin int) string {
	return strings.ReplaceAll(msg, "\n", "\n"+pad(margin)+"  ")
}

// snippet writes the place, and the source line or the first and the last
// source line with an underline.
func snippet(b *strings.Builder, s source.Span, margin int, mark byte) {
	if !s.Valid() {
		return
	}
	fmt.Fprintf(b, "%s--> %s\n%s|\n", strings.Repeat(" ", margin+1), s, pad(margin))
	from, last := s.From(), s.Last()
	if from.Line == last.Line {
		snippetLine(b, s.File, from.Line, from.Column, last.Column, margin, mark)
		return
	}
	width := utf8.RuneCountInString(s.File.Line(from.Line))
	snippetLine(b, s.File, from.Line, from.Column, max(width, from.Column), margin, mark)
	if last.Line > from.Line+1 {
		fmt.Fprintf(b, "%s ...\n", strings.Repeat(" ", margin))
	}
	lead := strings.TrimLeft(s.File.Line(last.Line), " \t")
	first := utf8.RuneCountInString(s.File.Line(last.Line)) - utf8.RuneCountInString(lead) + 1
	snippetLine(b, s.File, last.Line, min(first, last.Column), last.Column, margin, mark)
}

// maxSnippet is the longest part of a source line that is shown.
const maxSnippet = 160

// snippetLine writes one source line and an underline from column first to
// column last. A tab is kept in the underline's lead so that both line up.
func snippetLine(b *strings.Builder, f *source.File, line, first, last, margin int, mark byte) {
	text := []rune(f.Line(line))
	start := 0
	if last > maxSnippet {
		start = max(0, min(first-1, len(text))-maxSnippet/2)
	}
	end := min(len(text), start+maxSnippet)
	start = min(start, end)
	shown := string(text[start:end])
	fmt.Fprintf(b, "%*d | %s\n%s| ", margin, line, shown, pad(margin))
	for i := start; i < first-1 && i < end; i++ {
		if text[i] == '\t' {
			b.WriteByte('\t')
		} else {
			b.WriteByte(' ')
		}
	}
	last = min(last, end+1)
	b.WriteString(strings.Repeat(string(mark), max(1, last-first+1)))
	b.WriteByte('\n')
}

// Lines writes each diagnostic on one line, for editors and scripts:
//
//	a.fut:1:15-16: error: unknown name "yy" [unknown-name]
func Lines(w io.Writer, list []*Diagnostic) error {
	for _, d := range list {
		if _, err := fmt.Fprintln(w, d.line()); err != nil {
			return err
		}
	}
	return nil
}

// line is the one-line form of a diagnostic.
func (d *Diagnostic) line() string {
	msg, _, _ := strings.Cut(d.Message, "\n")
	out := fmt.Sprintf("%s: %s", d.Severity, msg)
	switch {
	case d.Span.Valid():
		out = d.Span.String() + ": " + out
	case d.Place != "":
		out = d.Place + ": " + out
	}
	if d.Code != nil {
		out += " [" + d.Code.ID + "]"
	}
	return out
}

// jsonRange is a span in JSON: byte offsets, and positions of both ends.
type jsonRange struct {
	File      string `json:"file"`
	Start     int32  `json:"start"`
	End       int32  `json:"end"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
}

// jsonNote is a note in JSON.
type jsonNote struct {
	Message string     `json:"message"`
	Range   *jsonRange `json:"range,omitempty"`
}

// jsonFix is an edit in JSON.
type jsonFix struct {
	Range *jsonRange `json:"range"`
	Text  string     `json:"text"`
}

// jsonDiagnostic is a diagnostic in JSON; its field names are stable.
type jsonDiagnostic struct {
	Code     string     `json:"code"`
	Severity string     `json:"severity"`
	Message  string     `json:"message"`
	Range    *jsonRange `json:"range,omitempty"`
	Place    string     `json:"place,omitempty"`
	Notes    []jsonNote `json:"notes,omitempty"`
	Hint     string     `json:"hint,omitempty"`
	Fix      *jsonFix   `json:"fix,omitempty"`
}

// JSON writes the diagnostics as one JSON array. Ends are inclusive in lines
// and columns, exclusive in bytes.
func JSON(w io.Writer, list []*Diagnostic) error {
	out := make([]jsonDiagnostic, 0, len(list))
	for _, d := range list {
		j := jsonDiagnostic{
			Code: d.Code.String(), Severity: d.Severity.String(), Message: d.Message,
			Range: toJSON(d.Span), Place: d.Place, Hint: d.Hint,
		}
		for _, n := range d.Notes {
			j.Notes = append(j.Notes, jsonNote{Message: n.Message, Range: toJSON(n.Span)})
		}
		if d.Fix != nil {
			j.Fix = &jsonFix{Range: toJSON(d.Fix.Span), Text: d.Fix.Text}
		}
		out = append(out, j)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}

// toJSON returns the JSON form of a span, nil for nowhere.
func toJSON(s source.Span) *jsonRange {
	if !s.Valid() {
		return nil
	}
	from, last := s.From(), s.Last()
	return &jsonRange{
		File: s.File.Name(), Start: s.Start, End: s.End,
		Line: from.Line, Column: from.Column, EndLine: last.Line, EndColumn: last.Column,
	}
}
