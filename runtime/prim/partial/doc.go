// Package partial holds the partial derivatives of the scalar operators and functions of runtime/prim. It is the one place where they are
// written down: the interpreter computes them with values, which may carry derivatives themselves, and the middle end builds code for them.
//
// A rule is written over [Arithmetic], which computes with numbers of any kind:
//
//	d, ok := partial.Binary(a, prim.Mul, x, y, product, 0) // y, true
//
// ok is false where the derivative is zero wherever there is one: of rounding, of bits, of what an integer operator discards. Where
// a derivative is infinite or does not exist (a power of zero, an absolute value at zero, a minimum of equals), the rule says what counts.
//
// The package imports runtime/prim alone.
package partial
