package manifest

import (
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"strings"
)

// Note [Names in C]
// ~~~~~~~~~~~~~~~~~
// Names in C are those of Futhark's libraries, so that programs and tools written for them go on working. An array of scalars is
// struct futhark_i32_2d, another type struct futhark_opaque_NAME, where NAME is the type's if that may be part of a name in C; of a
// type without a name it says what that is: arr1d_T, tup2_T_U, unit; and of what remains, records and sums that nobody named, it is the MD5
// of the name.

// CName is the type as the names of its operations in C have it, such as i32_1d or opaque_point: see Note [Names in C].
func (t *Type) CName() string {
	if t.IsTransparent() {
		return fmt.Sprintf("%s_%dd", t.Elem, t.Rank)
	}
	p := prettyName{rest: t.Name}
	if name := p.typ(); !p.failed && p.rest == "" && IsCName(name) {
		return "opaque_" + name
	}
	sum := md5.Sum([]byte(t.Name))
	return "opaque_" + hex.EncodeToString(sum[:])
}

// CType is the type of its values in C.
func (t *Type) CType() string {
	if t.Kind == Primitive {
		return CScalar(t.Name)
	}
	return "struct futhark_" + t.CName() + " *"
}

// CScalar is the type of a scalar in C.
func CScalar(name string) string {
	switch name {
	case "f16":
		return "uint16_t"
	case "f32":
		return "float"
	case "f64":
		return "double"
	case "bool":
		return "bool"
	}
	if rest, ok := strings.CutPrefix(name, "u"); ok {
		return "uint" + rest + "_t"
	}
	return "int" + name[1:] + "_t"
}

// CProject is the name in C of the projection of field number i.
func (t *Type) CProject(i int) string {
	name := t.Fields[i].Name
	if !IsCName("x" + name) {
		name = EscapeC(name)
	}
	return "futhark_project_" + t.CName() + "_" + name
}

// CVariant is the name in C of an operation, new or destruct, on a constructor of a sum.
func (t *Type) CVariant(op string, i int) string {
	return "futhark_" + op + "_" + t.CName() + "_" + EscapeC(t.Variants[i].Name)
}

// CFun is the name in C of an operation on the type.
func (t *Type) CFun(op string) string { return "futhark_" + op + "_" + t.CName() }

// CFun is the name of the entry point in C.
func (e *Entry) CFun() string { return "futhark_entry_" + EscapeC(e.Name) }

// IsCName reports whether a text may be a name in C.
func IsCName(s string) bool {
	for i, c := range s {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// EscapeC makes a name of the source one in C. What is one already stays as it is; the others are Z-encoded, as GHC does.
// See Note [Names in C].
func EscapeC(name string) string {
	if IsCName(name) {
		return name
	}
	var b strings.Builder
	for _, c := range name {
		switch {
		case c == 'z' || c == 'Z':
			b.WriteString(string(c) + string(c))
		case c == '_':
			b.WriteString("zu")
		case c == '\'':
			b.WriteString("zq")
		case IsCName("x" + string(c)):
			b.WriteRune(c)
		default:
			fmt.Fprintf(&b, "z%xU", c)
		}
	}
	return b.String()
}

// prettyName reads the name of a type and puts one for C together.
type prettyName struct {
	rest   string
	failed bool
}

func (p *prettyName) accept(s string) bool {
	rest, ok := strings.CutPrefix(p.rest, s)
	if ok {
		p.rest = rest
	}
	return ok
}

func (p *prettyName) expect(s string) {
	if !p.accept(s) {
		p.failed = true
	}
}

func (p *prettyName) typ() string {
	dims := 0
	for p.accept("[]") {
		dims++
	}
	switch {
	case dims > 0:
		return fmt.Sprintf("arr%dd_%s", dims, p.typ())
	case p.accept("()"):
		return "unit"
	case p.accept("("):
		parts := p.list(")", (*prettyName).typ)
		return fmt.Sprintf("tup%d_%s", len(parts), strings.Join(parts, "_"))
	}
	name := p.atom()
	for !p.failed && p.accept(".") {
		name += "_" + p.atom()
	}
	return name
}

func (p *prettyName) list(end string, elem func(*prettyName) string) []string {
	parts := []string{elem(p)}
	for !p.failed && p.accept(", ") {
		parts = append(parts, elem(p))
	}
	p.expect(end)
	return parts
}

func (p *prettyName) atom() string {
	n := strings.IndexAny(p.rest, "[]{}(),.:")
	if n < 0 {
		n = len(p.rest)
	}
	p.failed = p.failed || n == 0
	name := p.rest[:n]
	p.rest = p.rest[n:]
	return name
}
