package source

import (
	"fmt"
	"strings"
)

// A Span is the half-open byte range [Start, End) of a file. The zero value
// means "nowhere": what the compiler itself made.
type Span struct {
	File       *File
	Start, End int32
}

// Valid reports whether the span lies in a file.
func (s Span) Valid() bool { return s.File != nil }

// Text is the text that the span covers.
func (s Span) Text() string {
	text := s.File.Text()
	start, end := min(int(s.Start), len(text)), min(int(s.End), len(text))
	if start < 0 || start > end {
		return ""
	}
	return text[start:end]
}

// maxBrief is how much of a place's text a message quotes.
const maxBrief = 60

// Brief is the text as messages quote it: in one line, and cut short if it is long.
func (s Span) Brief() string {
	text := []rune(strings.Join(strings.Fields(s.Text()), " "))
	if len(text) > maxBrief {
		return string(text[:maxBrief-4]) + " ..."
	}
	return string(text)
}

// To returns the span from the beginning of s to the end of last. When one of
// them is nowhere, or they lie in different files, the other one is returned.
func (s Span) To(last Span) Span {
	switch {
	case !s.Valid():
		return last
	case !last.Valid() || s.File != last.File:
		return s
	default:
		return Span{File: s.File, Start: min(s.Start, last.Start), End: max(s.End, last.End)}
	}
}

// Contains reports whether other lies within s.
func (s Span) Contains(other Span) bool {
	return s.File == other.File && s.Start <= other.Start && other.End <= s.End
}

// Before reports whether s begins before other; files are ordered by name.
func (s Span) Before(other Span) bool {
	if s.File != other.File {
		return s.File.Name() < other.File.Name()
	}
	if s.Start != other.Start {
		return s.Start < other.Start
	}
	return s.End < other.End
}

// From is the position of the span's first character.
func (s Span) From() Position {
	if !s.Valid() {
		return Position{}
	}
	return s.File.Position(int(s.Start))
}

// Last is the position of the span's last character; an empty span's last
// character is its first.
func (s Span) Last() Position {
	if !s.Valid() {
		return Position{}
	}
	p := s.File.Position(int(s.End))
	if s.End > s.Start && p.Column > 1 {
		p.Column--
	}
	return p
}

// String prints the span as FILE:LINE:COLUMN-COLUMN, or, when it covers
// several lines, as FILE:LINE:COLUMN-LINE:COLUMN; both ends are inclusive.
func (s Span) String() string {
	if !s.Valid() {
		return "<nowhere>"
	}
	from, last := s.From(), s.Last()
	if from.Line == last.Line {
		return fmt.Sprintf("%s:%d:%d-%d", s.File.Name(), from.Line, from.Column, last.Column)
	}
	return fmt.Sprintf("%s:%d:%d-%d:%d", s.File.Name(), from.Line, from.Column, last.Line, last.Column)
}
