// Package c prints kernels of the low-level program as C for gcc and clang: the table of package cfamily for it.
//
// It sees backends/cfamily, middle/imp and shaders; it must not import the core IR or a runtime but prim.
//
// In: kernels that imp.Verify accepts, without workgroups of several threads that wait for each other. Out: a module, of which each
// kernel is
//
//	void kernel_NAME(void *const *arrays, const struct Params_kernel_NAME *params, u32 *failure, i64 first, i64 end)
//
// which runs the workgroups from first on, before end. The text is to be compiled so that signed numbers wrap around, types do not
// say what may alias, and nothing is contracted (runtime/cpu has the options). While the variable skald_stop is not zero, kernels end soon.
package c
