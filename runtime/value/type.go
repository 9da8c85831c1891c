package value

import (
	"fmt"
	"strconv"
	"strings"

	"skald/runtime/prim"
)

// AnyDim is a dimension of a Type that is not known.
const AnyDim = -1

// Type is the type of a value: the element type, and one extent for each dimension, outermost first. A dimension may be
// AnyDim; a value's own type has no such dimension.
type Type struct {
	Elem prim.Type
	Dims []int
}

// ArrayType is the type of arrays with the given rank, of any shape.
func ArrayType(t prim.Type, rank int) Type {
	dims := make([]int, rank)
	for i := range dims {
		dims[i] = AnyDim
	}
	return Type{Elem: t, Dims: dims}
}

// String returns the type as Futhark writes it, such as "[2][]f32".
func (t Type) String() string {
	var b strings.Builder
	for _, d := range t.Dims {
		b.WriteByte('[')
		if d != AnyDim {
			b.WriteString(strconv.Itoa(d))
		}
		b.WriteByte(']')
	}
	b.WriteString(t.Elem.String())
	return b.String()
}

// Matches reports whether every value of type t has type u too: the same element type and rank, and where u knows a
// dimension, the same extent.
func (t Type) Matches(u Type) bool {
	if t.Elem != u.Elem || len(t.Dims) != len(u.Dims) {
		return false
	}
	for i, d := range u.Dims {
		if d != AnyDim && d != t.Dims[i] {
			return false
		}
	}
	return true
}

// Bytes returns the size of the elements of values of this type; ok is false if a dimension is not known or if the size
// is too large for any value.
func (t Type) Bytes() (n int, ok bool) { return byteSize(t.Elem, t.Dims) }

// ParseType reads a type as String writes it; an extent may have the suffix i64, as sizes in Futhark programs do.
func ParseType(s string) (Type, error) {
	var t Type
	rest := strings.TrimSpace(s)
	for strings.HasPrefix(rest, "[") {
		dim, after, ok := strings.Cut(rest[1:], "]")
		if !ok {
			return Type{}, fmt.Errorf("type %q lacks a closing bracket", s)
		}
		n := AnyDim
		if dim = strings.TrimSuffix(strings.TrimSpace(dim), "i64"); dim != "" {
			size, err := strconv.ParseUint(dim, 10, 63)
			if err != nil {
				return Type{}, fmt.Errorf("type %q: %q is not a size", s, dim)
			}
			n = int(size)
		}
		t.Dims = append(t.Dims, n)
		rest = strings.TrimSpace(after)
	}
	elem, ok := prim.ParseType(rest)
	if !ok {
		return Type{}, fmt.Errorf("type %q: %q is not a primitive type", s, rest)
	}
	t.Elem = elem
	return t, nil
}
