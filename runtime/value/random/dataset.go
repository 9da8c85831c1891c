package random

import (
	"errors"
	"fmt"
	"io"

	"skald/runtime/value"
)

// Format is how a data set is written.
type Format uint8

// The formats.
const (
	Text   Format = iota // one value a line
	Binary               // the binary format, without separators
	Types                // the types instead of the values, one a line
)

// Write writes a value in the format.
func (f Format) Write(w io.Writer, v value.Value) error {
	var err error
	switch f {
	case Binary:
		return value.WriteBinary(w, v)
	case Types:
		_, err = io.WriteString(w, v.Type().String())
	default:
		err = value.WriteText(w, v)
	}
	if err == nil {
		_, err = io.WriteString(w, "\n")
	}
	return err
}

// Convert reads values up to the end of src, text or binary, and writes each in the format.
func (f Format) Convert(w io.Writer, src io.Reader) error {
	r := value.NewReader(src)
	for {
		v, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = f.Write(w, v)
		}
		if err != nil {
			return err
		}
	}
}

// Order is one value of a data set to make. A data set numbers its orders from its seed: the first order is made with
// the seed itself, the next with the seed plus one, and so on.
type Order struct {
	Spec   string // a type with known dimensions, such as "[10]i32", or one or more values in text
	Bounds Bounds
	Format Format
}

// Run writes what the order asks for.
func (o *Order) Run(w io.Writer, seed uint64) error {
	vs, err := Generate(&o.Bounds, o.Spec, seed)
	if err != nil {
		return err
	}
	for _, v := range vs {
		if err := o.Format.Write(w, v); err != nil {
			return err
		}
	}
	return nil
}

// Generate makes the values that a text asks for: a random one if the text is a type, else the values in it.
func Generate(b *Bounds, spec string, seed uint64) ([]value.Value, error) {
	t, typeErr := value.ParseType(spec)
	if typeErr != nil {
		vs, err := value.ParseAll(spec)
		if err != nil || len(vs) == 0 {
			return nil, fmt.Errorf("%q is neither a type nor a value: %w", spec, typeErr)
		}
		return vs, nil
	}
	for _, d := range t.Dims {
		if d == value.AnyDim {
			return nil, fmt.Errorf("type %s: every dimension must be a number", t)
		}
	}
	if _, ok := t.Bytes(); !ok {
		return nil, fmt.Errorf("a value of type %s does not fit in memory", t)
	}
	return []value.Value{Make(b, t, seed)}, nil
}
