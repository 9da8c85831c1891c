package describe

import (
	"fmt"
	"strings"

	"skald/runtime/value"
)

// Text prints a value as source text; of an empty array, its shape and the type of its elements. The components are as many as Width says.
func (f *Form) Text(components ...value.Value) string {
	if len(components) != f.Width() {
		panic(fmt.Sprintf("describe: %d components of a value that has %d", len(components), f.Width()))
	}
	switch {
	case f.Elem != nil:
		return f.arrayText(components)
	case f.Fields != nil:
		return recordText(*f.Fields, components, " = ", (*Form).Text)
	case f.Sum != nil:
		return f.Sum.text(components)
	default:
		return components[0].Scalar().String()
	}
}

func (f *Form) arrayText(components []value.Value) string {
	elem, dims := f, components[0].Shape()
	empty := false
	for i := 0; elem.Elem != nil; i++ {
		empty = empty || dims[i] == 0
		elem = elem.Elem
	}
	if empty {
		shapes := make([][]int, len(components))
		for i, c := range components {
			shapes[i] = c.Shape()
		}
		shape := ""
		for inner := f; inner.Elem != nil; inner = inner.Elem {
			shape += fmt.Sprintf("[%d]", shapes[0][0])
			shapes = rows(shapes)
		}
		return "empty(" + shape + elem.typeText(shapes...) + ")"
	}
	texts := make([]string, dims[0])
	row := make([]value.Value, len(components))
	for i := range texts {
		for k, c := range components {
			row[k] = c.Row(i)
		}
		texts[i] = f.Elem.Text(row...)
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// recordText prints fields, or the types of fields, as show does.
func recordText[C any](fields []Field, components []C, is string, show func(f *Form, components ...C) string) string {
	texts := make([]string, len(fields))
	tuple := isTuple(fields)
	for i, x := range fields {
		n := x.Form.Width()
		texts[i] = show(x.Form, components[:n]...)
		components = components[n:]
		if !tuple {
			texts[i] = x.Name + is + texts[i]
		}
	}
	if tuple {
		return "(" + strings.Join(texts, ", ") + ")"
	}
	return "{" + strings.Join(texts, ", ") + "}"
}

func (s *Sum) text(components []value.Value) string {
	n := components[0].Scalar().Int()
	if n < 0 || n >= int64(len(s.Ctors)) {
		return "#?" // A value that #[blank] made.
	}
	c := s.Ctors[n]
	text := "#" + c.Name
	for i, a := range c.Args {
		arg := a.Text(argument(c, i, components)...)
		if strings.HasPrefix(arg, "#") && strings.Contains(arg, " ") {
			arg = "(" + arg + ")"
		}
		text += " " + arg
	}
	return text
}

// argument picks the components of the k-th argument of a constructor.
func argument[C any](c Ctor, k int, components []C) []C {
	first := 0
	for _, a := range c.Args[:k] {
		first += a.Width()
	}
	var out []C
	for _, s := range c.Slots[first : first+c.Args[k].Width()] {
		out = append(out, components[s])
	}
	return out
}

// rows takes the first dimension from shapes.
func rows(shapes [][]int) [][]int {
	out := make([][]int, len(shapes))
	for i, s := range shapes {
		out[i] = s[1:]
	}
	return out
}

// typeText prints the type of a value whose components have the given shapes.
func (f *Form) typeText(shapes ...[]int) string {
	switch {
	case f.Elem != nil:
		return fmt.Sprintf("[%d]", shapes[0][0]) + f.Elem.typeText(rows(shapes)...)
	case f.Fields != nil:
		return recordText(*f.Fields, shapes, ": ", (*Form).typeText)
	case f.Sum != nil:
		ctors := make([]string, len(f.Sum.Ctors))
		for i, c := range f.Sum.Ctors {
			ctors[i] = "#" + c.Name
			for k, a := range c.Args {
				ctors[i] += " " + a.typeText(argument(c, k, shapes)...)
			}
		}
		return "(" + strings.Join(ctors, " | ") + ")"
	default:
		return f.Prim
	}
}
