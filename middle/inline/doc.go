// Package inline replaces calls by the bodies of the functions called. It runs first on core IR of the SOACs stage.
//
// Every call goes, but calls that have the attribute noinline, or whose functions have it, outside
// of SOACs, and inside where the function takes and returns scalars (kernels call device functions alone),
// calls of recursive functions, of which some become loops before (Note [Tail
// calls]), and calls of scalar functions that are large and called so often
// that copies would make the program large (Note [What stays a function]). Functions that no entry point reaches any more are dropped. A
// statement's Where grows by the call site, and the call's attributes go to
// the statements that come from it. Before and after:
//
//	let (y_2: i32) = call double (x_1) at "a.fut:5:3-9"
//
//	let (t_3: i32) = mul.i32 x_1 2i32 at "a.fut:1:2-5" from "a.fut:5:3-9"
//
// The package imports core, pass and simplify only.
package inline
