// Package cpu is the device that is always there: it runs kernels on the
// processor, by compiled code where there is a C compiler that works, else as WebAssembly, or with
// the evaluator of the low-level program.
//
// It implements runtime/device for runtime/host, and takes kernels in the text
// form of middle/imp. It must not import the core IR or a back end: who opens it
// brings the functions that print kernels in C and as WebAssembly. Commands run when they are recorded; Flush
// and Sync have nothing to do.
//
// Note [Compiled kernels]
//
// The kernels that are asked for together are printed as some modules, one for each core, which the system's compiler makes shared
// libraries of. They are kept in runtime/cache by the hash of their text, of the compiler and of the processor's features, and loaded from
// memory, also where there is no compiler any more (Note [Kept code without a compiler]). Of each kernel there is a function
//
//	void kernel(void *const *arrays, const void *params, u32 *failure, i64 first, i64 end)
//
// that runs a range of workgroups; workers call it on ranges until none is left (Notes [Stealing] and [Workers that linger]). Where the
// compiler fails kernels are WebAssembly (Note [Compilers that fail]); those that C has not run in the evaluator. Options.Warn is told
// of either.
//
// The buffers of a launch are the kernel's global arrays and then the failure
// buffer, which holds what imp.FailureWords describes.
package cpu
