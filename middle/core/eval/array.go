package eval

import (
	"fmt"
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
	"skald/runtime/value"
)

// block is a piece of memory, a word for each element.
type block struct{ words []uint64 }

// array is a view of a block: see core.Layout.
type array struct {
	elem    prim.Type
	shape   []int
	mem     *block
	offset  int
	strides []int
}

// val is the value of a variable; the field that its type calls for is set.
type val struct {
	scalar prim.Value
	array  *array
	mem    *block
	acc    *accumulator
}

func count(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

func denseStrides(shape []int) []int {
	s := make([]int, len(shape))
	n := 1
	for i := len(shape) - 1; i >= 0; i-- {
		s[i] = n
		n *= shape[i]
	}
	return s
}

// newArray makes a dense array in a block of its own. Its elements are a
// pattern that is not likely to be right by chance.
func newArray(elem prim.Type, shape []int) *array {
	words := make([]uint64, count(shape))
	junk := prim.Canonical(elem, 0xA5A5A5A5A5A5A5A5)
	for i := range words {
		words[i] = junk
	}
	return &array{elem, slices.Clone(shape), &block{words}, 0, denseStrides(shape)}
}

func (a *array) at(is []int) *uint64 {
	k := a.offset
	for d, i := range is {
		if i < 0 || i >= a.shape[d] {
			fault("index %v is outside of an array of shape %v", is, a.shape)
		}
		k += i * a.strides[d]
	}
	if k < 0 || k >= len(a.mem.words) {
		fault("element %d is outside of a block of %d", k, len(a.mem.words))
	}
	return &a.mem.words[k]
}

// row is the part of a at the given outer indices.
func (a *array) row(is []int) *array {
	r := &array{elem: a.elem, shape: a.shape[len(is):], mem: a.mem, offset: a.offset, strides: a.strides[len(is):]}
	for d, i := range is {
		if i < 0 || i >= a.shape[d] {
			fault("index %v is outside of an array of shape %v", is, a.shape)
		}
		r.offset += i * a.strides[d]
	}
	return r
}

// each calls f for every index of shape, in row-major order; f must not keep
// its argument.
func each(shape []int, f func([]int)) {
	is := make([]int, len(shape))
	for range count(shape) {
		f(is)
		for d := len(is) - 1; d >= 0; d-- {
			is[d]++
			if is[d] < shape[d] {
				break
			}
			is[d] = 0
		}
	}
}

func (a *array) sameView(b *array) bool {
	return a.mem == b.mem && a.offset == b.offset && slices.Equal(a.shape, b.shape) && slices.Equal(a.strides, b.strides)
}

// copyFrom writes src's elements to a; the two may be the same view.
func (a *array) copyFrom(src *array) {
	if !slices.Equal(a.shape, src.shape) {
		fault("copy of shape %v to shape %v", src.shape, a.shape)
	}
	if a.sameView(src) {
		return
	}
	for i, w := range src.words() {
		*a.at(unravel(i, a.shape)) = w
	}
}

func unravel(i int, shape []int) []int {
	is := make([]int, len(shape))
	for d := len(shape) - 1; d >= 0; d-- {
		is[d] = i % shape[d]
		i /= shape[d]
	}
	return is
}

// words are a's elements in row-major order.
func (a *array) words() []uint64 {
	ws := make([]uint64, 0, count(a.shape))
	each(a.shape, func(is []int) { ws = append(ws, *a.at(is)) })
	return ws
}

func (a *array) clone() *array {
	c := newArray(a.elem, a.shape)
	c.copyFrom(a)
	return c
}

func (a *array) toValue() value.Value {
	v := value.New(a.elem, a.shape...)
	for i, w := range a.words() {
		v.SetWord(i, w)
	}
	return v
}

func fromValue(v value.Value) val {
	if v.IsScalar() {
		return val{scalar: v.Scalar()}
	}
	a := newArray(v.Elem(), v.Shape())
	for i := range a.mem.words {
		a.mem.words[i] = v.Word(i)
	}
	return val{array: a}
}

// runFault is a fault of the program: what no correct compiler produces.
type runFault struct{ msg string }

func fault(format string, args ...any) { panic(&runFault{fmt.Sprintf(format, args...)}) }

// AssertError is a failed assertion.
type AssertError struct {
	Msg   string
	Where *core.Site
}

func (e *AssertError) Error() string {
	s := e.Msg
	for w := e.Where; w != nil; w = w.Caller {
		s += "\n  at " + w.Loc
	}
	return s
}
