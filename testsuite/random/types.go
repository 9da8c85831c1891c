package random

import (
	"slices"
	"strings"
)

// typ is a type of the programs.
type typ interface{ String() string }

// scalar is i32, i64 or bool.
type scalar string

// array is an array whose size is a variable or constant.
type array struct {
	size string
	elem typ
}

// tuple has two or more components.
type tuple []typ

// record has the fields a, b, ... in this order.
type record []typ

// option is the sum type `opt t`, which every program declares.
type option struct{ elem typ }

// function is a function of one argument.
type function struct{ param, result typ }

// typeVar is a type parameter t; a function make_t, which makes one from an i32, is in scope where it is.
type typeVar string

const (
	i32     scalar = "i32"
	i64     scalar = "i64"
	boolean scalar = "bool"
)

func (v typeVar) String() string { return string(v) }
func (s scalar) String() string  { return string(s) }
func (a array) String() string   { return "[" + a.size + "]" + a.elem.String() }
func (t tuple) String() string {
	return "(" + join(t, func(_ int, c typ) string { return c.String() }) + ")"
}
func (o option) String() string   { return "opt (" + o.elem.String() + ")" }
func (f function) String() string { return "(" + f.param.String() + " -> " + f.result.String() + ")" }

func (r record) String() string {
	return "{" + join(r, func(i int, c typ) string { return field(i) + ": " + c.String() }) + "}"
}

// field is the name of the i-th field of a record.
func field(i int) string { return string(rune('a' + i)) }

func join(ts []typ, f func(int, typ) string) string {
	parts := make([]string, len(ts))
	for i, t := range ts {
		parts[i] = f(i, t)
	}
	return strings.Join(parts, ", ")
}

// same reports whether two types are equal.
func same(a, b typ) bool { return a.String() == b.String() }

// hasFunctions reports whether a value of type t has a function in it.
func hasFunctions(t typ) bool {
	switch t := t.(type) {
	case function:
		return true
	case array:
		return hasFunctions(t.elem)
	case tuple:
		return slices.ContainsFunc(t, hasFunctions)
	case record:
		return slices.ContainsFunc(t, hasFunctions)
	case option:
		return hasFunctions(t.elem)
	default:
		return false
	}
}
