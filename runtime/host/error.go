package host

import (
	"slices"
	"strconv"
	"strings"

	"skald/middle/imp"
	"skald/runtime/prim"
)

// Error is a failed assertion of the program.
type Error struct {
	Message string
	// Where is the place in the source and the calls that led there, innermost
	// first.
	Where []string
	// Kernel is the kernel in which it failed, where that is known: while debugging.
	Kernel string
}

// Error returns message and backtrace.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("Error: " + e.Message)
	if len(e.Where) > 0 {
		b.WriteString("\n\nBacktrace:")
		for i, w := range e.Where {
			b.WriteString("\n-> #" + strconv.Itoa(i) + " " + w)
		}
	}
	if e.Kernel != "" {
		b.WriteString("\n\nKernel: " + e.Kernel)
	}
	return b.String()
}

// errorAt fills in the message of a site.
func errorAt(p *imp.Prog, site int32, values []uint64) *Error {
	s := p.Sites[site]
	var b strings.Builder
	next := 0
	for i := 0; i < len(s.Text); i++ {
		switch {
		case s.Text[i] != '%':
			b.WriteByte(s.Text[i])
		case i+1 < len(s.Text) && s.Text[i+1] == '%':
			b.WriteByte('%')
			i++
		case next < len(values):
			b.WriteString(scalarText(s.Types[next], values[next]))
			next++
		}
	}
	e := &Error{Message: b.String()}
	if s.Where != "" {
		e.Where = places(strings.Split(s.Where, "\n"))
	}
	return e
}

// places leaves out what lies in the prelude, which says nothing to the reader, unless nothing else is known.
func places(all []string) []string {
	theirs := slices.DeleteFunc(slices.Clone(all), func(w string) bool { return strings.HasPrefix(w, "/prelude/") })
	if len(theirs) == 0 {
		return all
	}
	return theirs
}

func scalarText(t prim.Type, w uint64) string {
	v := prim.FromWord(t, w)
	switch {
	case t == prim.Bool:
		return strconv.FormatBool(v.Bool())
	case t.IsFloat():
		return strconv.FormatFloat(v.Float(), 'g', -1, min(t.Bits(), 64)|32)
	case t == prim.U64:
		return strconv.FormatUint(w, 10)
	}
	return strconv.FormatInt(v.Int(), 10)
}
