package check

import (
	"strconv"
	"strings"

	"skald/frontend/types"
	"skald/runtime/prim"
)

// Note [Types that are not known yet]
// Messages show types before inference has ended, and so with variables in them. Whoever reads a message has not seen
// these, so none is shown by a name: inside a type a variable is what its constraints say ("float", "{x: i32, ...}"),
// or _ if they say nothing, and a type that is a variable as a whole is described in words that list what it may be.

// String is what a variable with these constraints looks like inside a type.
func (info *metaInfo) String() string {
	switch {
	case info.prims != 0:
		return info.prims.name()
	case info.fields != nil:
		text := (&types.Record{Fields: info.fields}).String()
		return strings.TrimSuffix(text, "}") + ", ...}"
	case info.ctors != nil:
		return (&types.Sum{Ctors: info.ctors}).String() + " | ..."
	default:
		return "_"
	}
}

// show prints a type for a message: see Note [Types that are not known yet].
func show(t types.Type) string {
	if m, ok := types.Force(t).(*types.Meta); ok {
		return describeMeta(m.Info.(*metaInfo))
	}
	return t.String()
}

// describeMeta says what a type must be: see Note [Types that are not known yet].
func describeMeta(info *metaInfo) string {
	switch {
	case info.prims == anyNumber || info.prims == anyPrim:
		return info.prims.name()
	case info.prims != 0:
		return info.prims.name() + " (" + info.prims.String() + ")"
	case info.fields != nil:
		return "a record with fields " + fieldsText(info.fields)
	case info.ctors != nil:
		return "a sum type with constructors " + (&types.Sum{Ctors: info.ctors}).String()
	default:
		return "_"
	}
}

// name is a word for the types in s.
func (s primSet) name() string {
	switch s {
	case anyPrim:
		return "primitive"
	case anyNumber:
		return "number"
	case anyFloat:
		return "float"
	case anyInt:
		return "integer"
	case anySigned:
		return "signed integer"
	case anyInt | 1<<prim.Bool:
		return "integer or bool"
	default:
		return "primitive"
	}
}

// expected is the part of a message that compares the type wanted with the one found.
func expected(want, have types.Type) string {
	return "Expected: " + show(want) + "\nActual:   " + show(have)
}

// count is n with the word for what is counted, in the plural unless there is just one.
func count(n int, singular, plural string) string {
	if n == 1 {
		return "1 " + singular
	}
	return strconv.Itoa(n) + " " + plural
}
