package interp

import (
	"fmt"
	"strings"

	"skald/runtime/limits"
	"skald/runtime/prim"
)

// buffer is the memory of an array whose elements are not records. Views share it. It is a level of indirection so that
// all of them see when the storage is exchanged: Note [Derivatives in arrays].
type buffer struct {
	storage
	kind prim.Type // the type of the elements; notPrimitive for those of a sum type
	// age counts the updates in place, where consumption is checked.
	age int
}

// Note [Derivatives in arrays]
//
// Arrays of numbers are unboxed, so a number that carries derivatives does not fit. When one is written, the storage of
// the buffer is exchanged for a boxed one with the same elements. Arrays made later from such an array start unboxed
// again.

// storage holds the elements of a buffer.
type storage interface {
	get(i int) Value
	// set stores v, or reports that it cannot because v is more than a word.
	set(i int, v Value) bool
	size() int
	// copyFrom copies n elements from src, which has the same type or is boxed; false means that it does not fit.
	copyFrom(at int, src storage, from, n int) bool
}

type machineWord interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// words is unboxed storage. Floats are stored as their bits and booleans as bytes: canonical words, cut to size.
// Converting back extends by the sign of T.
type words[T machineWord] []T

func (s words[T]) get(i int) Value { return Value{word: uint64(int64(s[i]))} }

func (s words[T]) set(i int, v Value) bool {
	s[i] = T(v.word)
	return v.ref == nil
}

func (s words[T]) size() int { return len(s) }

func (s words[T]) copyFrom(at int, src storage, from, n int) bool {
	if src, ok := src.(words[T]); ok {
		copy(s[at:at+n], src[from:from+n])
		return true
	}
	for i := range n {
		if !s.set(at+i, src.get(from+i)) {
			return false
		}
	}
	return true
}

// boxes is storage for elements of sum types, and for numbers with derivatives.
type boxes []Value

func (s boxes) get(i int) Value         { return s[i] }
func (s boxes) set(i int, v Value) bool { s[i] = v; return true }
func (s boxes) size() int               { return len(s) }

func (s boxes) copyFrom(at int, src storage, from, n int) bool {
	if src, ok := src.(boxes); ok {
		copy(s[at:at+n], src[from:from+n])
		return true
	}
	for i := range n {
		s[at+i] = src.get(from + i)
	}
	return true
}

// notPrimitive is the kind of a buffer whose elements are of a sum type.
const notPrimitive = prim.Type(255)

// maxElements bounds the size of an array: what is larger would not fit in memory whatever its type.
const maxElements = 1 << 34

// newBuffer makes room for an array of the given shape of a primitive type, all zero, or of a sum type.
func newBuffer(kind prim.Type, shape []int) *buffer {
	n := 1
	for _, d := range shape {
		if d < 0 || d > 0 && n > maxElements/d {
			panic(&Error{Message: fmt.Sprintf("Out of memory: an array of shape %v is too large.", shape)})
		}
		n *= d
	}
	return &buffer{storage: newStorage(kind, n), kind: kind}
}

// boxBytes is what an element of another type takes: a word for its type and one for its value.
const boxBytes = 16

func newStorage(kind prim.Type, n int) storage {
	bytes := boxBytes
	if kind != notPrimitive {
		bytes = kind.Size()
	}
	if err := limits.Check(int64(n) * int64(bytes)); err != nil {
		panic(&Error{Message: strings.ToUpper(err.Error()[:1]) + err.Error()[1:] + "."})
	}
	switch kind {
	case prim.I8:
		return make(words[int8], n)
	case prim.I16:
		return make(words[int16], n)
	case prim.I32:
		return make(words[int32], n)
	case prim.I64:
		return make(words[int64], n)
	case prim.U8, prim.Bool:
		return make(words[uint8], n)
	case prim.U16, prim.F16:
		return make(words[uint16], n)
	case prim.U32, prim.F32:
		return make(words[uint32], n)
	case prim.U64, prim.F64:
		return make(words[uint64], n)
	default:
		return make(boxes, n)
	}
}

// put stores v at i, changing the storage if it has to.
func (b *buffer) put(i int, v Value) {
	if !b.set(i, v) {
		b.box()
		b.set(i, v)
	}
}

// copyIn copies n elements of src.
func (b *buffer) copyIn(at int, src *buffer, from, n int) {
	if !b.copyFrom(at, src.storage, from, n) {
		b.box()
		b.copyFrom(at, src.storage, from, n)
	}
}

func (b *buffer) box() {
	boxed := make(boxes, b.size())
	for i := range boxed {
		boxed[i] = b.get(i)
	}
	b.storage = boxed
}
