// Package eval runs core programs of any stage on values of runtime/value. It is the oracle for the passes: whatever a
// pass does, the program's results stay the same.
//
// Arrays are views of blocks of words: before the memory stage every array
// that is made gets a block of its own, at that stage the views follow the
// layouts in the types, so that a wrong layout leads to a wrong result. Updates
// happen in place at every stage. Segmented operations run point by point, in
// order or, to show dependences between points, backwards (Options.Backwards).
//
// A failed assertion is an *AssertError; every other error is a fault in the
// program, such as an index out of bounds. The package imports core and the
// leaves runtime/prim and runtime/value.
package eval
