package value

import (
	"fmt"

	"skald/runtime/prim"
)

// SyntaxError says that an input is not a value, or not one of the expected type.
type SyntaxError struct {
	Offset int64 // bytes before the place of the error
	Line   int   // from 1; only newlines in text count
	Column int   // in bytes, from 1
	Want   *Type // the type that was asked for; nil if any would do
	Msg    string
	Err    error // the cause, if it is another error
}

// Error returns place, message and expected type.
func (e *SyntaxError) Error() string {
	s := fmt.Sprintf("%d:%d (byte %d): %s", e.Line, e.Column, e.Offset, e.Msg)
	if e.Want != nil {
		s += fmt.Sprintf(" (while reading a value of type %s)", *e.Want)
	}
	return s
}

// Unwrap returns the cause: io.ErrUnexpectedEOF for an input that stops within a value, or what the source returned.
func (e *SyntaxError) Unwrap() error { return e.Err }

// typeName is a primitive type's name with its article, for messages.
func typeName(t prim.Type) string {
	switch t {
	case prim.I8, prim.I16, prim.I32, prim.I64, prim.F16, prim.F32, prim.F64:
		return "an " + t.String()
	default:
		return "a " + t.String()
	}
}
