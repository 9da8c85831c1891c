// Package value holds the values that go into and come out of programs: scalars and regular arrays of primitive
// elements, with Futhark's text and binary formats for them.
//
// The package is a leaf, open to all layers; of this module it imports runtime/prim and runtime/limits only.
//
// # Values
//
// A [Value] has an element type, a shape (empty for a scalar; kept in full also when an array has no elements) and one
// contiguous, 8-byte aligned buffer with the elements in row-major order, little-endian, a bool being a byte 0 or 1.
// That is the layout of the binary format and of device memory, so [Value.Bytes] can be uploaded or written as it is,
// while [Slice] returns the same storage as a Go slice of the element type:
//
//	v := value.FromSlice([]int32{1, 2, 3, 4}, 2, 2)
//	value.Slice[int32](v)[3] = 5
//	v.String() // [[1i32, 2i32], [3i32, 5i32]]
//
// Values share storage when copied; [Value.Clone] does not. The package assumes a little-endian machine.
//
// # Formats
//
// A [Reader] takes values one after another from a stream in which text and binary may be mixed. Its errors say where
// (byte, line, column) and what was expected. It allocates in proportion to the input that it has seen, whatever
// sizes a header claims. [WriteText] and [WriteBinary] write what a Reader reads back exactly.
//
// [Compare] compares within a tolerance and reports where values differ first. Package random, below this one, makes
// the random values of data sets.
package value
