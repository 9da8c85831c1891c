// Package inline replaces calls by the bodies of the functions called. It runs first on core IR of the SOACs stage.
//
// Every call goes, but calls of functions with the attribute noinline outside
// of combinators (kernels cannot call, so there is no other choice inside), and
// calls of recursive functions; of these, some become loops before (Note [Tail
// calls]). Functions that no entry point reaches any more are dropped. A
// statement's Where grows by the call site, and the call's attributes go to
// the statements that come from it. Before and after:
//
//	let (y_2: i32) = call double (x_1) at "a.fut:5:3-9"
//
//	let (t_3: i32) = mul.i32 x_1 2i32 at "a.fut:1:2-5" from "a.fut:5:3-9"
//
// The package imports core and pass only.
package inline
