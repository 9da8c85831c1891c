package diag

import (
	"fmt"
	"sort"

	"skald/frontend/source"
)

// A Diagnostic is one thing to tell the author of a program.
type Diagnostic struct {
	Code     *Code
	Severity Severity
	// Span is the place that the message is about; it may be nowhere.
	Span source.Span
	// Place is the text of the place where there is no Span: the places of programs that are compiled already are known so.
	Place string
	// Message is one or more lines without a trailing newline. Its first line
	// is by itself in one-line output.
	Message string
	// Notes point to other places that matter, or add explanation.
	Notes []Note
	// Hint says how to fix the program; empty when we do not know.
	Hint string
	// Fix, when present, is the correction as an edit.
	Fix *Fix
}

// A Note is an addition to a diagnostic, with a place of its own or none.
type Note struct {
	Span    source.Span
	Message string
}

// A Fix replaces the text of a span.
type Fix struct {
	Span source.Span
	Text string
}

// Note adds a note at a place (or nowhere) and returns the diagnostic.
func (d *Diagnostic) Note(at source.Span, format string, args ...any) *Diagnostic {
	d.Notes = append(d.Notes, Note{Span: at, Message: sprintf(format, args)})
	return d
}

// Hintf sets the hint and returns the diagnostic.
func (d *Diagnostic) Hintf(format string, args ...any) *Diagnostic {
	d.Hint = sprintf(format, args)
	return d
}

// Replace sets the edit that fixes the program and returns the diagnostic.
func (d *Diagnostic) Replace(at source.Span, text string) *Diagnostic {
	d.Fix = &Fix{Span: at, Text: text}
	return d
}

// Error is the one-line form, so that a diagnostic can travel as an error.
func (d *Diagnostic) Error() string { return d.line() }

// IsError reports whether the diagnostic makes the program unacceptable.
func (d *Diagnostic) IsError() bool { return d.Severity != Warning && d.Severity != Remark }

// New makes a diagnostic of the code's own severity.
func New(code *Code, at source.Span, format string, args ...any) *Diagnostic {
	return &Diagnostic{Code: code, Severity: code.Severity, Span: at, Message: sprintf(format, args), Hint: code.Hint}
}

// sprintf formats, but leaves a message without arguments as it is.
func sprintf(format string, args []any) string {
	if len(args) == 0 {
		return format
	}
	return fmt.Sprintf(format, args...)
}

// A Sink collects diagnostics in the order in which they are reported. The
// zero value is ready; a nil sink drops everything. It is not for concurrent
// use: stages that run in parallel have a sink each, joined in a fixed order.
type Sink struct {
	list   []*Diagnostic
	errors int
}

// Report adds a diagnostic.
func (s *Sink) Report(d *Diagnostic) {
	if s == nil {
		return
	}
	s.list = append(s.list, d)
	if d.IsError() {
		s.errors++
	}
}

// Errorf reports a diagnostic of the code's severity and returns it, so that
// notes and a hint can be added.
func (s *Sink) Errorf(code *Code, at source.Span, format string, args ...any) *Diagnostic {
	d := New(code, at, format, args...)
	s.Report(d)
	return d
}

// Warnf reports a warning and returns it.
func (s *Sink) Warnf(code *Code, at source.Span, format string, args ...any) *Diagnostic {
	d := New(code, at, format, args...)
	d.Severity = Warning
	s.Report(d)
	return d
}

// HasErrors reports whether anything worse than a warning was reported.
func (s *Sink) HasErrors() bool { return s != nil && s.errors > 0 }

// Len is the number of diagnostics; with it and [Sink.Truncate] a caller can
// try something and forget what it reported.
func (s *Sink) Len() int {
	if s == nil {
		return 0
	}
	return len(s.list)
}

// Truncate forgets all but the first n diagnostics.
func (s *Sink) Truncate(n int) {
	if s == nil || n >= len(s.list) {
		return
	}
	s.list = s.list[:n:n]
	s.errors = 0
	for _, d := range s.list {
		if d.IsError() {
			s.errors++
		}
	}
}

// Append adds what another sink holds.
func (s *Sink) Append(other *Sink) {
	for _, d := range other.All() {
		s.Report(d)
	}
}

// All returns the diagnostics as they were reported.
func (s *Sink) All() []*Diagnostic {
	if s == nil {
		return nil
	}
	return s.list
}

// Sorted returns the diagnostics without duplicates, ordered by place; those
// at the same place stay in the order of reporting.
func (s *Sink) Sorted() []*Diagnostic {
	type key struct {
		code *Code
		span source.Span
		msg  string
	}
	seen := map[key]bool{}
	var out []*Diagnostic
	for _, d := range s.All() {
		k := key{d.Code, d.Span, d.Message}
		if !seen[k] {
			seen[k] = true
			out = append(out, d)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Span.Before(out[j].Span) })
	return out
}

// Errors is the number of diagnostics worse than a warning.
func (s *Sink) Errors() int {
	if s == nil {
		return 0
	}
	return s.errors
}
