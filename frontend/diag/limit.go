package diag

import "skald/frontend/source"

// CodeLimit is the code of every limitation, whichever layer meets it.
var CodeLimit = Declare(Code{
	ID:       "compiler-limit",
	Severity: Limitation,
	Doc:      "The program is valid Futhark, but this compiler cannot translate it yet. The message says why.",
})

// Limit makes the diagnostic of a limitation at a place that is known by its text alone, "" if it is not known. The message is a clause
// about the place: what cannot be translated, and what to do instead if anything can be done.
func Limit(place, format string, args ...any) *Diagnostic {
	d := New(CodeLimit, source.Span{}, format, args...)
	d.Place = place
	return d
}
