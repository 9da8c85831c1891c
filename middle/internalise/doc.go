// Package internalise turns a typed program without polymorphism and function values into core IR: the step from the
// surface language to the language that the compiler works on.
//
// In: a types.Prog as package defunctionalise leaves it. Out: a core.Prog at StageSOACS in which
//
//   - a value of any type is a list of scalars and arrays of scalars (Note [Components]); an array of tuples is a tuple of arrays;
//   - sizes are operands: a size parameter is an i64 parameter, an existential size an i64 result;
//   - every partial operation (index, slice, division, range, coercion, assertion) is preceded by its check, whose certificate it lists;
//   - SOACs are Screma, Hist and WithAcc.
//
// The checker has shown that sizes agree. Where two equal sizes are different operands (n+m computed twice), a Reshape, which costs
// nothing, converts an array to the type that its context wants (builder.ensure).
//
// The package imports frontend/types, middle/core, middle/pass and runtime/describe, and nothing else of the compiler.
package internalise

// Note [Components]
//
// The components of a value, in order:
//
//	primitive         the scalar itself
//	[n]t              the components of t, each with n as a new outer size
//	{f: t, ...}       the components of the fields, in canonical order
//	()                a bool that is false, so that an array of units has a component that shows its sizes
//	#c t ... | ...    a tag, which is the constructor's place in the sorted list, and then slots: a scalar slot is
//	                  shared by constructors whose payloads have a component of its type, an array component has a
//	                  slot of its own; slots that a constructor does not use are zero, so that equal values are equal
//	                  component by component
