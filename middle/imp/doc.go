// Package imp is the low-level program: structured imperative host code and
// the kernels that it launches, with every array already turned into a block
// of memory and an index computation.
//
// It comes after middle/lower, which makes it once the device is known, and
// before backends (which print kernels), runtime/host (which executes host
// code) and middle/imp/eval (which executes both without a device). It must
// not import the core IR, any back end, or any runtime but prim.
//
// Invariants, which Verify checks: a variable has one type and is bound before
// it is used; operands have the type that their operator names; barriers and
// subgroup operations stand only where all threads of a workgroup arrive
// (Note [Uniform control flow]); host statements stand in functions and kernel
// statements in kernels.
//
// The text form reads back: Parse(Print(p)) equals p. For example
//
//	kernel double(n_1: idx, read @xs_0: i32, write @ys_1: i32) group 256 {
//	  let i_2: idx = thread_id
//	  if lt.idx(i_2, n_1) {
//	    @ys_1[i_2] = mul.i32(@xs_0[i_2], 2:i32)
//	  }
//	}
//	fun main(n_1: i64, xs_2: block) -> (ys_3) {
//	  alloc ys_3: i32[n_1]
//	  launch double<div.i64(add.i64(n_1, 255:i64), 256:i64)>(conv.i64.idx(n_1)) blocks(xs_2, ys_3) fits(n_1)
//	}
//
// # Files
//
//	prog, type, exp, stm..., trace        programs, types, expressions, statements of host code and of kernels
//	parse..., lex, print...               the text form
//	verify, typeof, uniform, limit        what must hold, and what no device may have
//	walk, map, strides, tunes             what others ask of code
//	code, operator, device_function       what printers are told, and what they return
//	bits, contract, registers, unroll     passes on kernels
//	widen, free, room                     forms of kernels, and what lowering finishes a program with
//	merge, pack, sortmems, split          how the arrays of a kernel are bound
package imp
