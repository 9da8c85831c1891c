// Package interp evaluates typed programs. It is the oracle that every back end is compared with, and the engine of
// `skald run`, `skald eval` and `skald repl`.
//
// It follows the checker: its input is a types.Prog, whose invariants (frontend/types) it relies on. It must not
// import frontend/syntax, frontend/check or anything of middle.
//
// # How it works
//
// Each expression is compiled once, when its function is first called, to a Go closure of type eval. A closure finds
// the variables of the function that it belongs to in the slots of a frame. Scalars are words in a Value and never
// boxed; arrays are flat typed slices (array.go); an array of records is a record of arrays. Types and sizes that a
// polymorphic function was given are ordinary slots (Note [Types at run time] in rtype.go).
//
// # Invariants
//
//   - The checker has shown that what is updated in place is never read again; updates therefore write to the array
//     itself, and slices may share memory with what they were taken from.
//   - A result that the language calls unique (that of map, zip, copy, ...) is made of fresh memory.
//   - A run-time error is a Go panic with *Error inside the package, and an error value outside of it.
//
// # Example
//
//	in, err := interp.New(prog, interp.Options{})
//	out, err := in.Call(ctx, "main", args)
package interp
