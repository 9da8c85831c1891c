package manifest

import (
	"strings"

	"skald/runtime/prim"
)

// Program is what a program shows.
type Program struct {
	Entries []Entry
	// Types are those of parameters and results and of what these consist of, but for scalars; each follows those it consists of.
	Types []*Type
	// Tuning are the tuning parameters.
	Tuning []Param
}

// Param is a tuning parameter.
type Param struct{ Name, Class string }

// Entry is an entry point.
type Entry struct {
	Name   string
	Doc    string
	Inputs []Value
	Output Value
	// Attrs are its attributes, without #[ and ].
	Attrs []string
	// Tuning are the names of the tuning parameters that runs of it ask for.
	Tuning []string
}

// Value is a parameter or a result.
type Value struct {
	Name   string // of a parameter, if it has one
	Type   string
	Unique bool
}

// Kind says what a type is.
type Kind uint8

// The kinds of types.
const (
	Primitive Kind = iota
	Array
	Record
	Sum
	Opaque // nothing is known of it
)

var kindNames = [...]string{"primitive", "array", "record", "sum", "opaque"}

// String is the kind as the server protocol calls it.
func (k Kind) String() string { return kindNames[k] }

// Type is a type.
type Type struct {
	Name  string
	Kind  Kind
	Parts []Part
	// Elem names the type of an array's elements.
	Elem string
	Rank int
	// Fields are those of a record, or of an array of records the arrays that it zips.
	Fields []Field
	// Variants are the constructors of a sum.
	Variants []Variant
}

// Part is a scalar, or an array of scalars. A negative size is known by the value; equal negative sizes in a type's parts are equal.
type Part struct {
	Elem  prim.Type
	Sizes []int
}

// Rank is the number of dimensions.
func (p Part) Rank() int { return len(p.Sizes) }

// Field is a field of a record: Count parts from First on.
type Field struct {
	Name, Type   string
	First, Count int
}

// Variant is a constructor of a sum.
type Variant struct {
	Name string
	// Payload names the types of what it holds, and Parts the parts of the sum that hold it, in order.
	Payload []string
	Parts   []int
}

// Entry finds an entry point, or returns nil.
func (p *Program) Entry(name string) *Entry {
	for i := range p.Entries {
		if p.Entries[i].Name == name {
			return &p.Entries[i]
		}
	}
	return nil
}

// Type finds a type, or returns nil. All types of scalars and arrays of them are there.
func (p *Program) Type(name string) *Type {
	for _, t := range p.Types {
		if t.Name == name {
			return t
		}
	}
	return Transparent(name)
}

// Transparent is the type of scalars or of arrays of them that has this name, nil if there is none.
func Transparent(name string) *Type {
	elem := strings.TrimLeft(name, "[]")
	rank := (len(name) - len(elem)) / 2
	if name != strings.Repeat("[]", rank)+elem {
		return nil
	}
	t, ok := prim.ParseType(elem)
	if !ok {
		return nil
	}
	out := &Type{Name: name, Parts: []Part{{Elem: t}}}
	if rank > 0 {
		out.Kind, out.Elem, out.Rank = Array, elem, rank
		for i := range rank {
			out.Parts[0].Sizes = append(out.Parts[0].Sizes, -1-i)
		}
	}
	return out
}

// IsTransparent reports whether the type is that of scalars or of arrays of them.
func (t *Type) IsTransparent() bool {
	if t.Kind == Primitive {
		return true
	}
	_, scalar := prim.ParseType(t.Elem)
	return t.Kind == Array && scalar
}

// Field finds a field, or returns nil.
func (t *Type) Field(name string) *Field {
	for i := range t.Fields {
		if t.Fields[i].Name == name {
			return &t.Fields[i]
		}
	}
	return nil
}

// Variant finds a constructor, or returns nil.
func (t *Type) Variant(name string) *Variant {
	for i := range t.Variants {
		if t.Variants[i].Name == name {
			return &t.Variants[i]
		}
	}
	return nil
}

// IsTuple reports whether the type is a record whose fields are called 0, 1, and so on.
func (t *Type) IsTuple() bool {
	return t.Kind == Record && (len(t.Fields) == 0 || t.Fields[0].Name == "0")
}
