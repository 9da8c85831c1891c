// Package describe prints values of compiled programs as source text: what #[trace] shows.
//
// A compiled program represents a value by its components, scalars and arrays of scalars (Note [Components] in middle/internalise). A Form
// says how: internalise makes one of the type of what is traced, core and imp carry its text, and runtime/host has it print the
// components. The texts are those of the interpreter.
//
// # Place
//
// The package sees runtime/prim and runtime/value alone.
//
// Example: an array of pairs is two arrays.
//
//	f := describe.Array(describe.Record([]string{"0", "1"}, describe.Scalar(prim.I32), describe.Scalar(prim.Bool)))
//	f.Text(is, bs) // [(1i32, true), (2i32, false)]
package describe
