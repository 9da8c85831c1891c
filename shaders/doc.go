// Package shaders is the support library that generated kernels call: Futhark's
// arithmetic where a device lacks it. Its functions stand in real source files
// under wgsl/ and c/; [Library] cuts out the ones that a kernel needs.
//
// # Place
//
// Back ends (backends/wgsl, backends/cuda, backends/c) print kernels that call
// these functions. The package imports nothing of ours; tests that need a
// device live in testsuite/arith.
//
// # Dialects
//
// A [Dialect] says which types the target language has. The values of each type
// are represented so, and the aliases I64, U64, F64, F16 name the choice:
//
//	i64, u64   native, or vec2<u32>(low, high)
//	f64        native, or vec2<u32>(low, high) of the bits; native only beside native i64
//	f16        native, or an f32 that is exactly representable as an f16
//	i8, i16    i32, always sign-extended: norm_i8 wraps a result
//	u8, u16    u32, always zero-extended
//	bool       bool; in memory one byte, 0 or 1
//
// # Names
//
// A function is named OP_TYPE after the operators and functions of runtime/prim:
// add_i64, div_i64 (floors), mod_i64, quot_i64 (truncates), rem_i64, shl_i64,
// shr_i64, ushr_i64, lt_i64, min_u64, mul_hi_u32, mad_hi_i8, clz_u64, sqrt_f64,
// atan2pi_f32, to_bits_f64, from_bits_f64. A conversion is conv_FROM_TO, such as conv_f32_i64.
// const_i64(low, high) makes an i64 from its words, as const_u64 and const_f64 do.
// The same names with the same meaning exist in every dialect, so a printer asks
// [Lookup] whether a function is there, and otherwise writes the operator itself:
//
//	a + b      on i32       infix: there is no add_i32
//	a / b      on i32       div_i32(a, b)
//	a + b      on i64       add_i64(a, b) if the dialect has no i64, else infix
//	i8.i32 x                norm_i8(x)
//
// Comparisons are lt_T, le_T, eq_T; Gt, Ge, Ne are left to the printer (swap,
// negate). No function traps: division by zero is 0, as prim's word functions
// do, for the compiler has checked the divisor. Shift counts of any size are right.
//
// WGSL has no pointers to a part of a buffer, so access to packed elements and
// atomic updates are not here: back ends print them for each array.
//
// # Invariants of the source files
//
// Declarations start in column 0, one construct each, and end with a line "}" or
// in the line they start in. A declaration's comment is directly above it: the
// result, special cases, error bound and origin. That of an inexact function reads
//
//	NAME(ARGUMENTS) is RESULT, within N ulp, by ORIGIN. SPECIAL CASES.
//
// and tests take the bound from it; a function without a bound is exact, or rounds
// the exact result once. ORIGIN names functions that do the work, whose comments
// say how, or the source. No function reads a global variable, and names are
// unique within a dialect. Nothing depends on NaN, infinity or subnormals of the
// hardware: values are classified on their bits.
//
// A declaration in C whose name has the type FLOAT is one for f32 and one for f64, which take its place there, in the
// text and in the comment.
package shaders
