package interp

import "skald/frontend/source"

// Note [Consumed arrays]
//
// An update in place changes every array that shares the memory. The consumption checker has shown that none of them is
// read again; Options.CheckConsumption makes the interpreter check that at run time. Each buffer has an age, the number of
// updates so far, and each array the age that its buffer had when the array was made. An update makes the buffer older
// and returns a new array of that age; from then on the old one, and all others of the same memory, are consumed, which
// shows when a variable or field that holds one is read.

// consume is what an update in place returns: v, which has been updated, with a new age.
func (m *machine) consume(v Value) Value {
	if !m.opts.CheckConsumption {
		return v
	}
	return Value{ref: v.array().aged()}
}

func (a *array) aged() *array {
	c := *a
	if a.buf != nil {
		a.buf.age++
		c.age = a.buf.age
		return &c
	}
	c.fields = make([]*array, len(a.fields))
	for i, f := range a.fields {
		c.fields[i] = f.aged()
	}
	return &c
}

// consumed reports whether the memory of a has been updated since a was made.
func (a *array) consumed() bool {
	if a.buf != nil {
		return a.age != a.buf.age
	}
	for _, f := range a.fields {
		if f.consumed() {
			return true
		}
	}
	return false
}

// reading wraps x, which reads a variable or field, in the check that it has not been consumed.
func (s *scope) reading(x eval, at source.Span, name string) eval {
	if !s.m.opts.CheckConsumption {
		return x
	}
	return func(f *frame) Value {
		v := x(f)
		if a, ok := v.ref.(*array); ok && a.consumed() {
			f.m.fail(at, "%s is read after it has been consumed.", name)
		}
		return v
	}
}
