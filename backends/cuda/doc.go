// Package cuda prints kernels of the low-level program as CUDA C for NVRTC: the
// table of package cfamily for it.
//
// It sees backends/cfamily, middle/imp and shaders; it must not import the core IR
// or a runtime but prim.
//
// In: a kernel that imp.Verify accepts. Out: imp.Code, a module with one kernel
//
//	extern "C" __global__ void kernel_main(T0 *b0, …, u32 *failure, const Params params)
//
// whose workgroup memory is declared in it up to 48 KiB, and asked for at launch
// beyond that, or where launches say how large arrays are (imp.Code.Shared, imp.Code.Rooms).
package cuda
