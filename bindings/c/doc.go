// Package c writes C libraries: prog.c and prog.h, through which a program in C calls a compiled program by the functions that Futhark's
// own C libraries have (names, arguments, results and rules of ownership are those of Futhark's C API; see docs/c-library.md).
//
// # Place
//
// It sees the description of a program (runtime/manifest) and the bytes of its executable, a server (runtime/server), and writes two texts.
//
// # How a library works
//
// prog.c holds the executable, compressed. A context starts it as a process of its own, talks the server protocol with it over a socket,
// and passes arrays through one file without a name, which both map. A value in C is the number of a variable of the server. runtime.c
// is what is the same for every program; the rest is a function for each operation of each type, and for each entry point, that fills in
// a struct skald_do:
//
//	entry dot (xs: []i32) (ys: []i32) : i32
//
//	int futhark_entry_dot(struct futhark_context *ctx, int32_t *out0, const struct futhark_i32_1d *in0, const struct futhark_i32_1d *in1) {
//	  struct skald_out outs[] = {{"i32", 0, out0}};
//	  const struct skald_in ins[] = {{NULL, in0}, {NULL, in1}};
//	  return skald_do(ctx, (struct skald_do){FUTHARK_PROGRAM_ERROR, "call dot", "", "", 0, outs, 1, ins, 2, NULL, 0, 0});
//	}
package c
