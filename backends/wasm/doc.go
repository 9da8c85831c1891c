// Package wasm writes kernels of the low-level program as WebAssembly: modules in the
// binary form, for processors without a C compiler, and in the text form, for people.
//
// It sees middle/imp, runtime/prim and the names of backends/text; it must not import
// the core IR or a runtime but prim.
//
// In: kernels that imp.Verify accepts, without workgroups of several threads that wait
// for each other. Out: a module, of which each kernel is a function (Entry) that runs
// a range of workgroups, one thread after the other. For example, the kernel of
// package imp's comment is, in text,
//
//	(func $kernel_double_0k (export "kernel_double_0k") (param $xs i32) (param $ys i32) (param $failure i32) … (param $n i64)
//	  …
//	  local.get $i
//	  local.get $n
//	  i64.lt_s
//	  if
//	    local.get $ys
//	    …
//	    i32.store align=4
//	  end
//
// A stack machine has no expressions to print, so the structure of package text is of
// no use here: statements are written by one switch (writer.stm), expressions by another
// (writer.exp), and the instructions are a list, which Binary and Text give form to.
// Instructions are a table (table), with their names, codes and operands.
//
// Note [Values in WebAssembly]
//
//	                      on the stack                            in arrays
//	i8 i16 u8 u16 bool    i32, extended by the sign or by zeros   8 or 16 bits
//	i32 u32               i32                                     32 bits
//	f16                   i32, its bits                           its bits
//	i64 u64 idx           i64                                     64 bits
//	f32 f64               as they are                             as they are
//
// What is no instruction or a few is imported: a function of the host, which computes it
// by package prim as the evaluator does (Import). All arithmetic of f16 is such.
//
// The files: kernel.go begins functions; stm.go and exp.go write statements and expressions, arith.go and function.go
// operators and functions, memory.go and atomic.go accesses; linear.go takes indices apart for pointer.go, by which loops
// have pointers; vector.go, vector_loop.go, vector_exp.go, gather.go, convert.go and strides.go write loops by lanes.
//
// An address is an i32. Global arrays are parameters; private and shared arrays are in
// the frame, memory that the caller brings, that of device functions behind that of their
// callers.
package wasm
