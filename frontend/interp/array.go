package interp

import "fmt"

// array is an array of one or more dimensions, in row-major order. It is one of two things:
//
//   - elements of primitive or sum type, in buf from off on; or
//   - elements that are records: then fields has for each field the array of all its values. The shape of each begins
//     with shape.
//
// The shape is complete also if some dimension is zero. An element that is itself an array adds its dimensions to the
// shape, so that [n][m]i32 is the same whether it was made as rows or at once. (An array inside a record inside an
// array adds them to the field's.)
type array struct {
	shape  []int
	buf    *buffer
	off    int
	fields []*array
	// age is buf.age when the array was made: Note [Consumed arrays].
	age int
}

// product is the number of elements of an array with these dimensions.
func product(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

// newArray makes an array of the given outer dimensions whose elements are of type elem. It is filled with zeroes.
func newArray(outer []int, elem *rtype) *array {
	if elem.kind == arrayType {
		shape := append([]int(nil), outer...)
		for elem.kind == arrayType {
			shape = append(shape, max(elem.dim, 0))
			elem = elem.elem
		}
		outer = shape
	}
	if elem.kind == recordType {
		fields := make([]*array, len(elem.fields))
		for i, f := range elem.fields {
			fields[i] = newArray(outer, f)
		}
		return &array{shape: outer, fields: fields}
	}
	kind := notPrimitive
	if elem.kind == primType {
		kind = elem.prim
	}
	return &array{shape: outer, buf: newBuffer(kind, outer)}
}

// newArrayOf makes an array of n elements like v, which is of type elem. The shape is taken from v, not from elem.
func newArrayOf(n int, elem *rtype, v Value) *array {
	switch r := v.ref.(type) {
	case *array:
		return r.fresh([]int{n}, 0)
	case *record:
		fields := make([]*array, len(r.fields))
		for i, f := range r.fields {
			fields[i] = newArrayOf(n, elem.fields[i], f)
		}
		return &array{shape: []int{n}, fields: fields}
	default:
		return newArray([]int{n}, elem)
	}
}

// fresh makes an array with elements like those of a, and with outer in place of the first drop dimensions.
func (a *array) fresh(outer []int, drop int) *array {
	shape := append(append([]int(nil), outer...), a.shape[drop:]...)
	if a.buf == nil {
		fields := make([]*array, len(a.fields))
		for i, f := range a.fields {
			fields[i] = f.fresh(outer, drop)
		}
		return &array{shape: shape, fields: fields}
	}
	return &array{shape: shape, buf: newBuffer(a.buf.kind, shape)}
}

// len is the size of the outermost dimension.
func (a *array) len() int { return a.shape[0] }

// at returns the element at i of the outermost dimension; a row shares memory with a.
func (a *array) at(i int) Value {
	if a.buf != nil && len(a.shape) == 1 {
		return a.buf.get(a.off + i)
	}
	if len(a.shape) == 1 {
		if len(a.fields) == 2 {
			return pair(a.fields[0].at(i), a.fields[1].at(i))
		}
		fields := make([]Value, len(a.fields))
		for j, f := range a.fields {
			fields[j] = f.at(i)
		}
		return Value{ref: &record{fields}}
	}
	return Value{ref: a.row(i)}
}

// row is at for an array of at least two dimensions.
func (a *array) row(i int) *array {
	if a.buf == nil {
		fields := make([]*array, len(a.fields))
		for j, f := range a.fields {
			fields[j] = f.row(i)
		}
		return &array{shape: a.shape[1:], fields: fields}
	}
	return &array{shape: a.shape[1:], buf: a.buf, off: a.off + i*product(a.shape[1:]), age: a.age}
}

// set writes the element at i of the outermost dimension. It reports whether the shape of v is that of an element.
func (a *array) set(i int, v Value) bool {
	switch {
	case a.buf != nil && len(a.shape) == 1:
		a.buf.put(a.off+i, v)
		return true
	case len(a.shape) == 1:
		r := v.record()
		for j, f := range a.fields {
			if !f.set(i, r.fields[j]) {
				return false
			}
		}
		return true
	default:
		return a.row(i).assign(v.array())
	}
}

// assign overwrites all of a with b. It reports whether the shapes are equal.
func (a *array) assign(b *array) bool {
	if !equalShapes(a.shape, b.shape) {
		return false
	}
	if a.buf == nil {
		for i, f := range a.fields {
			if !f.assign(b.fields[i]) {
				return false
			}
		}
		return true
	}
	a.buf.copyIn(a.off, b.buf, b.off, product(a.shape))
	return true
}

// clone copies a.
func (a *array) clone() *array {
	c := a.fresh(nil, 0)
	if !c.assign(a) {
		panic(fmt.Sprintf("interp: clone of shape %v", a.shape))
	}
	return c
}

// reshaped is a with its first drop dimensions replaced, sharing memory.
func (a *array) reshaped(outer []int, drop int) *array {
	c := &array{shape: append(append([]int(nil), outer...), a.shape[drop:]...), buf: a.buf, off: a.off, age: a.age}
	if a.buf == nil {
		c.fields = make([]*array, len(a.fields))
		for i, f := range a.fields {
			c.fields[i] = f.reshaped(outer, drop)
		}
	}
	return c
}

// transposed exchanges the first two dimensions.
func (a *array) transposed() *array {
	n, m := a.shape[0], a.shape[1]
	c := a.fresh([]int{m, n}, 2)
	c.transposeFrom(a, n, m)
	return c
}

func (a *array) transposeFrom(b *array, n, m int) {
	if a.buf == nil {
		for i, f := range a.fields {
			f.transposeFrom(b.fields[i], n, m)
		}
		return
	}
	inner := product(a.shape[2:])
	for i := range n {
		for j := range m {
			a.buf.copyIn(a.off+(j*n+i)*inner, b.buf, b.off+(i*m+j)*inner, inner)
		}
	}
}

// concat lays b behind a.
func (a *array) concat(b *array) *array {
	c := a.fresh([]int{a.shape[0] + b.shape[0]}, 1)
	c.prefix(a.shape[0]).assign(a)
	c.slice(a.shape[0], b.shape[0]).assign(b)
	return c
}

// prefix is the first n elements, sharing memory.
func (a *array) prefix(n int) *array { return a.slice(0, n) }

// slice is n elements of the outermost dimension from start on, sharing memory.
func (a *array) slice(start, n int) *array {
	c := &array{shape: append([]int{n}, a.shape[1:]...), buf: a.buf, age: a.age}
	if a.buf == nil {
		c.fields = make([]*array, len(a.fields))
		for i, f := range a.fields {
			c.fields[i] = f.slice(start, n)
		}
		return c
	}
	c.off = a.off + start*product(a.shape[1:])
	return c
}

func equalShapes(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// copyValue copies every array in v.
func copyValue(v Value) Value {
	switch r := v.ref.(type) {
	case *array:
		return Value{ref: r.clone()}
	case *record:
		fields := make([]Value, len(r.fields))
		for i, f := range r.fields {
			fields[i] = copyValue(f)
		}
		return Value{ref: &record{fields}}
	case *sum:
		args := make([]Value, len(r.args))
		for i, x := range r.args {
			args[i] = copyValue(x)
		}
		return Value{ref: &sum{r.ctor, args}}
	default:
		return v
	}
}
