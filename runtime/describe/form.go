package describe

import (
	"encoding/json"
	"fmt"
	"strconv"

	"skald/runtime/prim"
)

// Form is how values of a source type are represented. One of its fields is set.
type Form struct {
	Prim   string   `json:"prim,omitempty"`
	Elem   *Form    `json:"array,omitempty"`
	Fields *[]Field `json:"record,omitempty"`
	Sum    *Sum     `json:"sum,omitempty"`
}

// Field is a field of a record; those of tuples are named 0, 1, ...
type Field struct {
	Name string `json:"name"`
	Form *Form  `json:"form"`
}

// Sum is a sum type, of which component 0 is the number of the constructor.
type Sum struct {
	Width int    `json:"width"` // how many components there are
	Ctors []Ctor `json:"constructors"`
}

// Ctor is a constructor: its arguments, and which components hold those of the arguments, in order.
type Ctor struct {
	Name  string  `json:"name"`
	Args  []*Form `json:"arguments,omitempty"`
	Slots []int   `json:"slots,omitempty"`
}

// Scalar is the form of a primitive type.
func Scalar(t prim.Type) *Form { return &Form{Prim: t.String()} }

// Array is the form of arrays: each component is that of an element with one more dimension, the first.
func Array(elem *Form) *Form { return &Form{Elem: elem} }

// Record is the form of records, whose components are those of the fields, in order. One without fields has a component all the same.
func Record(names []string, fields ...*Form) *Form {
	fs := make([]Field, len(fields))
	for i, f := range fields {
		fs[i] = Field{names[i], f}
	}
	return &Form{Fields: &fs}
}

// Parse reads what String returns.
func Parse(text string) (*Form, error) {
	f := new(Form)
	if err := json.Unmarshal([]byte(text), f); err != nil {
		return nil, fmt.Errorf("the form of a traced value: %w", err)
	}
	return f, f.check()
}

// String is the form as text.
func (f *Form) String() string {
	b, err := json.Marshal(f)
	if err != nil {
		panic(err) // Strings and numbers can be written.
	}
	return string(b)
}

// check reports a form that describes nothing.
func (f *Form) check() error {
	set := 0
	for _, is := range []bool{f.Prim != "", f.Elem != nil, f.Fields != nil, f.Sum != nil} {
		if is {
			set++
		}
	}
	if set != 1 {
		return fmt.Errorf("the form of a traced value: %s", f)
	}
	for _, inner := range f.inner() {
		if inner == nil {
			return fmt.Errorf("the form of a traced value: %s", f)
		}
		if err := inner.check(); err != nil {
			return err
		}
	}
	if f.Sum == nil {
		return nil
	}
	for _, c := range f.Sum.Ctors {
		width := 0
		for _, a := range c.Args {
			width += a.Width()
		}
		if width != len(c.Slots) {
			return fmt.Errorf("the form of a traced value: %s", f)
		}
		for _, s := range c.Slots {
			if s <= 0 || s >= f.Sum.Width {
				return fmt.Errorf("the form of a traced value: %s", f)
			}
		}
	}
	return nil
}

// inner lists the forms that f consists of.
func (f *Form) inner() []*Form {
	switch {
	case f.Elem != nil:
		return []*Form{f.Elem}
	case f.Fields != nil:
		var out []*Form
		for _, x := range *f.Fields {
			out = append(out, x.Form)
		}
		return out
	case f.Sum != nil:
		var out []*Form
		for _, c := range f.Sum.Ctors {
			out = append(out, c.Args...)
		}
		return out
	default:
		return nil
	}
}

// Width is the number of components.
func (f *Form) Width() int {
	switch {
	case f.Elem != nil:
		return f.Elem.Width()
	case f.Fields != nil:
		n := 0
		for _, x := range *f.Fields {
			n += x.Form.Width()
		}
		return max(n, 1)
	case f.Sum != nil:
		return f.Sum.Width
	default:
		return 1
	}
}

// isTuple reports whether the fields of a record are named 0, 1, ...; unit is a tuple, a record of one field is not.
func isTuple(fields []Field) bool {
	for i, f := range fields {
		if f.Name != strconv.Itoa(i) {
			return false
		}
	}
	return len(fields) != 1
}
