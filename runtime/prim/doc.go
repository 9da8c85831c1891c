// Package prim holds Futhark's twelve primitive types, the values that inhabit them, and the exact meaning of every
// scalar operator and function. It is the one place where that meaning is written down: constant folding, the
// interpreter and the evaluators of the intermediate languages all call it, and generated code is tested against it.
//
// The package is a leaf: it imports nothing of this module and is open to all layers.
//
// # Types and operators
//
// A [Type] carries its signedness, so an operator needs no signed and unsigned variants: [Div] at I32 rounds towards
// negative infinity, at U32 it divides unsigned numbers, at F32 it is IEEE division. Operators are small enumerations
// ([UnOp], [BinOp], [CmpOp], [Func]) whose facts (name, types, algebraic laws, whether they can fail) stand in property
// tables; a test fails when an entry is missing.
//
// # Words
//
// A scalar is a 64-bit word whose layout its type fixes:
//
//	i8 i16 i32 i64       sign-extended to 64 bits
//	u8 u16 u32 u64       zero-extended to 64 bits
//	f16 f32 f64          the IEEE bit pattern, zero-extended
//	bool                 0 or 1
//
// A word in this form is called canonical; every function here takes and returns canonical words. [Value] pairs a word
// with its type. Callers that already know the types, such as an interpreter's compiled closures, fetch a specialised
// function over words once and call it without further dispatch:
//
//	add, _ := prim.BinWord(prim.Add, prim.I8)
//	add(127, 1) // -128, as a sign-extended word
//
// # Failures
//
// Integer division and remainder by zero, and integer powers with a negative exponent, fail. [EvalBin] reports that as
// an error. The word functions are total (they give 0 in these cases), so that they can be evaluated speculatively;
// callers that must report a failure ask [BinFailure] first.
//
// # Choices where the language leaves freedom
//
//   - A shift count outside [0, width) shifts everything out: the result is 0, or the sign for [Shr] of a signed type.
//   - A float becomes an integer by truncation towards zero and then reduction modulo 2^width; NaN and infinities
//     give 0. Integers become floats by rounding to nearest, ties to even.
//   - [Min] and [Max] on floats ignore a single NaN and order -0 below +0.
//   - [Mod] on floats is C's fmod: the result has the sign of the dividend.
//   - f16 operators round once, to nearest even. Functions of f16 and f32 are computed in float64 and rounded.
package prim
