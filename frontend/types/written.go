package types

import "strings"

// Written is a type as source text has it: abbreviations are not expanded, and sizes are left out. It is what the world outside
// calls a type. A nil *Written is a type that nobody wrote.
type Written struct {
	// Name is set for a named type, with the types that it is applied to.
	Name string
	// Means is what Name abbreviates, nil if that is not known or depends on type arguments.
	Means *Written
	// Elem is set for an array of one dimension.
	Elem *Written
	// Fields is set for a record; those of a tuple are called 0, 1, and so on.
	Fields []WrittenField
	Tuple  bool // also the tuple of no fields
	// Ctors is set for a sum.
	Ctors []WrittenCtor
}

// WrittenField is a field of a record.
type WrittenField struct {
	Name string
	Type *Written
}

// WrittenCtor is a constructor of a sum type.
type WrittenCtor struct {
	Name string
	Args []*Written
}

// String returns the type on one line.
func (w *Written) String() string {
	var parts []string
	switch {
	case w.Elem != nil:
		return "[]" + w.Elem.String()
	case w.Tuple:
		for _, f := range w.Fields {
			parts = append(parts, f.Type.String())
		}
		return "(" + strings.Join(parts, ", ") + ")"
	case w.Fields != nil:
		for _, f := range w.Fields {
			parts = append(parts, f.Name+": "+f.Type.String())
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case w.Ctors != nil:
		for _, c := range w.Ctors {
			part := "#" + c.Name
			for _, a := range c.Args {
				part += " " + a.argument()
			}
			parts = append(parts, part)
		}
		return strings.Join(parts, " | ")
	}
	return w.Name
}

// argument returns the type as an argument of a constructor.
func (w *Written) argument() string {
	if w.Name != "" && !strings.Contains(w.Name, " ") || w.Tuple || w.Elem == nil && w.Fields != nil {
		return w.String()
	}
	return "(" + w.String() + ")"
}

// meaning follows abbreviations.
func (w *Written) meaning() *Written {
	for w != nil && w.Name != "" {
		w = w.Means
	}
	return w
}

// Field returns a field of a record as it was written, or nil.
func (w *Written) Field(name string) *Written {
	if m := w.meaning(); m != nil {
		for _, f := range m.Fields {
			if f.Name == name {
				return f.Type
			}
		}
	}
	return nil
}

// Payload returns argument i of a constructor of a sum as it was written, or nil.
func (w *Written) Payload(ctor string, i int) *Written {
	if m := w.meaning(); m != nil {
		for _, c := range m.Ctors {
			if c.Name == ctor && i < len(c.Args) {
				return c.Args[i]
			}
		}
	}
	return nil
}

// Row returns the elements of an array of so many dimensions as they were written, or nil. What an abbreviation of an array means is
// not looked at: its elements have no name of their own outside.
func (w *Written) Row(rank int) *Written {
	for ; w != nil && rank > 0; rank-- {
		w = w.Elem
	}
	return w
}

// Array returns arrays of so many dimensions.
func (w *Written) Array(rank int) *Written {
	for ; w != nil && rank > 0; rank-- {
		w = &Written{Elem: w}
	}
	return w
}
