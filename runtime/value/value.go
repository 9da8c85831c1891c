package value

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"unsafe"

	"skald/runtime/limits"
	"skald/runtime/prim"
)

// Value is a scalar or a regular array. The zero Value is not a value; make one with the functions of this package.
type Value struct {
	elem  prim.Type
	shape []int
	data  []byte
}

// New makes an array of the given shape (or a scalar, if there is no extent) whose elements are zero. It panics if an
// extent is negative or the size does not fit in memory.
func New(elem prim.Type, shape ...int) Value {
	size, ok := byteSize(elem, shape)
	if !ok {
		panic(fmt.Sprintf("value.New: invalid shape %v", shape))
	}
	return Value{elem: elem, shape: slices.Clone(shape), data: alignedBytes(size)}
}

// Scalar makes a value without dimensions.
func Scalar(v prim.Value) Value {
	s := New(v.Type())
	s.SetWord(0, v.Word())
	return s
}

// FromBytes makes a value whose elements are the given bytes, in the layout that the package comment describes. The
// value takes over data, unless data is not aligned for its elements: then it is copied. The error says how shape and
// length disagree.
func FromBytes(elem prim.Type, shape []int, data []byte) (Value, error) {
	size, ok := byteSize(elem, shape)
	if !ok || size != len(data) {
		return Value{}, fmt.Errorf("%d bytes are no value of type %s", len(data), Type{elem, shape})
	}
	if len(data) > 0 && uintptr(unsafe.Pointer(&data[0]))%uintptr(elem.Size()) != 0 {
		aligned := alignedBytes(len(data))
		copy(aligned, data)
		data = aligned
	}
	return Value{elem: elem, shape: slices.Clone(shape), data: data}, nil
}

// byteSize returns the number of bytes of a shape; ok is false if an extent is negative or the product overflows. Zero
// extents do not excuse others from that check: [0][2^62]f64 has no elements, but its rows' size is not a number.
func byteSize(elem prim.Type, shape []int) (size int, ok bool) {
	n := uint64(elem.Size())
	empty := false
	for _, d := range shape {
		if d < 0 {
			return 0, false
		}
		if d == 0 {
			empty = true
			continue
		}
		hi, lo := bits.Mul64(n, uint64(d))
		if hi != 0 || lo > 1<<62 {
			return 0, false
		}
		n = lo
	}
	if empty {
		return 0, true
	}
	return int(n), true
}

// alignedBytes makes a zeroed buffer aligned to 8 bytes. It panics with a *limits.Error if memory does not suffice.
func alignedBytes(n int) []byte {
	if n == 0 {
		return nil
	}
	if err := limits.Check(int64(n)); err != nil {
		panic(err)
	}
	words := make([]uint64, (n+7)/8)
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), len(words)*8)[:n]
}

// Elem is the type of the elements.
func (v Value) Elem() prim.Type { return v.elem }

// Shape returns the extents, outermost first. The caller must not change them.
func (v Value) Shape() []int { return v.shape }

// Rank is the number of dimensions, 0 for a scalar.
func (v Value) Rank() int { return len(v.shape) }

// IsScalar reports whether the value has no dimensions.
func (v Value) IsScalar() bool { return len(v.shape) == 0 }

// Type returns the value's type, with its shape.
func (v Value) Type() Type { return Type{Elem: v.elem, Dims: v.shape} }

// Len is the number of elements: 1 for a scalar.
func (v Value) Len() int { return len(v.data) / v.elem.Size() }

// Bytes returns the elements' storage. Changes to it change the value; a bool's byte must stay 0 or 1.
func (v Value) Bytes() []byte { return v.data }

// Word returns the canonical word (see package prim) of the element with flat index i, in row-major order.
func (v Value) Word(i int) uint64 {
	switch v.elem.Size() {
	case 1:
		return prim.Canonical(v.elem, uint64(v.data[i]))
	case 2:
		return prim.Canonical(v.elem, uint64(binary.LittleEndian.Uint16(v.data[2*i:])))
	case 4:
		return prim.Canonical(v.elem, uint64(binary.LittleEndian.Uint32(v.data[4*i:])))
	default:
		return binary.LittleEndian.Uint64(v.data[8*i:])
	}
}

// SetWord stores a canonical word as the element with flat index i.
func (v Value) SetWord(i int, w uint64) {
	switch v.elem.Size() {
	case 1:
		v.data[i] = byte(w)
	case 2:
		binary.LittleEndian.PutUint16(v.data[2*i:], uint16(w))
	case 4:
		binary.LittleEndian.PutUint32(v.data[4*i:], uint32(w))
	default:
		binary.LittleEndian.PutUint64(v.data[8*i:], w)
	}
}

// At returns the element with flat index i.
func (v Value) At(i int) prim.Value { return prim.FromWord(v.elem, v.Word(i)) }

// Set stores x, which must be of the element type, as the element with flat index i.
func (v Value) Set(i int, x prim.Value) {
	if x.Type() != v.elem {
		panic(fmt.Sprintf("value.Set: %s into an array of %s", x.Type(), v.elem))
	}
	v.SetWord(i, x.Word())
}

// Scalar returns the only element of a value without dimensions; it panics for arrays.
func (v Value) Scalar() prim.Value {
	if !v.IsScalar() {
		panic("value.Scalar: the value is of type " + v.Type().String())
	}
	return v.At(0)
}

// Row returns the i-th element of an array's outermost dimension, sharing storage with the array.
func (v Value) Row(i int) Value {
	if i < 0 || i >= v.shape[0] {
		panic(fmt.Sprintf("value.Row: %d is outside %s", i, v.Type()))
	}
	size := len(v.data) / v.shape[0]
	return Value{elem: v.elem, shape: v.shape[1:], data: v.data[i*size : (i+1)*size : (i+1)*size]}
}

// Reshape returns the same elements with another shape of the same number of elements, sharing storage.
func (v Value) Reshape(shape ...int) (Value, error) { return FromBytes(v.elem, shape, v.data) }

// Clone returns a copy with storage of its own.
func (v Value) Clone() Value {
	c := New(v.elem, v.shape...)
	copy(c.data, v.data)
	return c
}

// Equal reports whether two values have the same type and shape and bit for bit the same elements.
func Equal(a, b Value) bool {
	return a.elem == b.elem && slices.Equal(a.shape, b.shape) && bytes.Equal(a.data, b.data)
}

// Half is the bit pattern of an f16, the element of Go slices that hold such values.
type Half uint16

// Element is a Go type that represents the elements of one primitive type.
type Element interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | Half | float32 | float64 | bool
}

// ElemOf returns the primitive type that T represents.
func ElemOf[T Element]() prim.Type {
	var x T
	switch any(x).(type) {
	case int8:
		return prim.I8
	case int16:
		return prim.I16
	case int32:
		return prim.I32
	case int64:
		return prim.I64
	case uint8:
		return prim.U8
	case uint16:
		return prim.U16
	case uint32:
		return prim.U32
	case uint64:
		return prim.U64
	case Half:
		return prim.F16
	case float32:
		return prim.F32
	case float64:
		return prim.F64
	default:
		return prim.Bool
	}
}

// FromSlice makes an array with the elements of a Go slice, whose storage it shares. Without extents the array has one
// dimension. It panics if the extents do not fit the slice's length.
func FromSlice[T Element](elems []T, shape ...int) Value {
	if len(shape) == 0 {
		shape = []int{len(elems)}
	}
	elem := ElemOf[T]()
	var data []byte
	if len(elems) > 0 {
		data = unsafe.Slice((*byte)(unsafe.Pointer(&elems[0])), len(elems)*elem.Size())
	}
	v, err := FromBytes(elem, shape, data)
	if err != nil {
		panic("value.FromSlice: " + err.Error())
	}
	return v
}

// Slice returns a value's storage as a slice of its elements, in row-major order. It panics if T does not represent the
// element type.
func Slice[T Element](v Value) []T {
	if elem := ElemOf[T](); elem != v.elem {
		panic(fmt.Sprintf("value.Slice: elements are of type %s, not %s", v.elem, elem))
	}
	if len(v.data) == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&v.data[0])), v.Len())
}
