package random

import (
	"slices"
	"strings"

	"skald/runtime/prim"
)

// typ is a type of the programs.
type typ interface{ String() string }

// scalar is the name of a primitive type.
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

// option is the sum type `opt t`, and choice the sum type `choice t u`; the library has both.
type (
	option struct{ elem typ }
	choice struct{ left, right typ }
)

// function is a function of one argument.
type function struct{ param, result typ }

// typeVar is a type parameter t; a function make_t, which makes one from an i32, is in scope where it is.
type typeVar string

// The types that every program uses.
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
func (o option) String() string { return "opt (" + o.elem.String() + ")" }
func (c choice) String() string { return "choice (" + c.left.String() + ") (" + c.right.String() + ")" }

func (f function) String() string { return "(" + f.param.String() + " -> " + f.result.String() + ")" }

func (r record) String() string {
	return "{" + join(r, func(i int, c typ) string { return field(i) + ": " + c.String() }) + "}"
}

// prim is the primitive type.
func (s scalar) prim() prim.Type {
	t, ok := prim.ParseType(string(s))
	if !ok {
		panic("random: no type is called " + string(s))
	}
	return t
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

// parts are the types that t is made of, itself not among them.
func parts(t typ) []typ {
	switch t := t.(type) {
	case array:
		return []typ{t.elem}
	case tuple:
		return t
	case record:
		return t
	case option:
		return []typ{t.elem}
	case choice:
		return []typ{t.left, t.right}
	case function:
		return []typ{t.param, t.result}
	default:
		return nil
	}
}

// hasFunctions reports whether a value of type t has a function in it.
func hasFunctions(t typ) bool {
	_, ok := t.(function)
	return ok || slices.ContainsFunc(parts(t), hasFunctions)
}

// elements is how many scalars a value of type t has at most.
func (g *generator) elements(t typ) int {
	switch t := t.(type) {
	case array:
		return g.sizes[t.size] * g.elements(t.elem)
	case function, scalar, typeVar:
		return 1
	default:
		n := 1
		for _, p := range parts(t) {
			n += g.elements(p)
		}
		return n
	}
}

// size picks a size for arrays that may be made where the generator is.
func (g *generator) size() string {
	fitting := []string{"3"}
	for _, s := range []string{"n", "n", "m"} {
		if g.affordable(g.sizes[s]) {
			fitting = append(fitting, s)
		}
	}
	return pick(g.choices, fitting...)
}

func (g *generator) scalarType() typ { return pick(g.choices, g.palette...) }

// bounded is t, or a scalar if values of type t are too large where the generator is.
func (g *generator) bounded(t typ) typ {
	if g.affordable(g.elements(t)) {
		return t
	}
	return g.scalarType()
}

// element makes a type of elements for an array of size s.
func (g *generator) element(s string) typ {
	t := g.firstOrder(1)
	if g.affordable(g.sizes[s] * g.elements(t)) {
		return t
	}
	return g.scalarType()
}

// plain makes a type whose values have a text form: a scalar or an array of scalars.
func (g *generator) plain(depth int) typ {
	if depth > 0 && g.IntN(3) > 0 {
		return g.bounded(array{g.size(), g.plain(depth - 1)})
	}
	return g.scalarType()
}

// firstOrder makes a type without functions.
func (g *generator) firstOrder(depth int) typ {
	if depth == 0 {
		return g.scalarType()
	}
	several := func() []typ {
		ts := make([]typ, 2+g.IntN(3)*g.IntN(2))
		for i := range ts {
			ts[i] = g.firstOrder(depth - 1)
		}
		return ts
	}
	switch g.IntN(10) {
	case 0, 1, 2, 3:
		return g.scalarType()
	case 4, 5:
		return g.bounded(array{g.size(), g.firstOrder(depth - 1)})
	case 6:
		return g.bounded(tuple(several()))
	case 7:
		return g.bounded(record(several()))
	case 8:
		return g.bounded(option{g.firstOrder(depth - 1)})
	default:
		return g.bounded(choice{g.firstOrder(depth - 1), g.firstOrder(depth - 1)})
	}
}

// anyType makes a type that may have functions in it.
func (g *generator) anyType(depth int) typ {
	if depth == 0 {
		return g.scalarType()
	}
	switch g.IntN(6) {
	case 3:
		return function{g.firstOrder(depth - 1), g.anyType(depth - 1)}
	case 4:
		return record{g.anyType(depth - 1), g.anyType(depth - 1)}
	case 5:
		return tuple{g.anyType(depth - 1), g.firstOrder(depth - 1)}
	default:
		return g.firstOrder(depth)
	}
}
