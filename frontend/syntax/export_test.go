package syntax

import (
	"skald/frontend/diag"
	"skald/frontend/source"
)

// ParseTypeExp parses a text that is one type. It returns nil after an error.
func ParseTypeExp(f *source.File, sink *diag.Sink) TypeExp {
	return parsePart(f, sink, (*parser).typeExp)
}

// ParsePat parses a text that is one pattern. It returns nil after an error.
func ParsePat(f *source.File, sink *diag.Sink) Pat { return parsePart(f, sink, (*parser).pat) }
