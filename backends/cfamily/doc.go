// Package cfamily prints kernels of the low-level program in languages of the C
// family. Structure is printed by package text; expressions and memory are here, one for
// all; what differs between languages is a table, Language, which a package beside this
// one fills in (backends/cuda, backends/c).
//
// It sees middle/imp and shaders; it must not import the core IR or a runtime but
// prim.
//
// In: a kernel that imp.Verify accepts. Out: imp.Code, called with a pointer for
// each global array, a pointer to the failure buffer if there is one, and the block
// of parameters as a struct.
//
// Note [Values and memory in C]
//
//	           in registers               in arrays
//	i8 i16     i32, sign-extended         signed char, short
//	u8 u16     u32, zero-extended         unsigned char, unsigned short
//	bool       bool                       unsigned char, 0 or 1
//	f16        f32 that an f16 can hold   unsigned short, its bits
//	           (CUDA: F16, its bits)
//	idx        i32                        i32
//	others     as they are                as they are
//
// Functions of package shaders compute what C leaves undefined or does not have.
// Signed arithmetic that may overflow is that of unsigned numbers, unless the
// language is compiled so that it wraps around.
//
// Note [Failing threads in C]
//
// A failed assertion notes its site in the failure buffer, and the thread returns.
// In a kernel with barriers the statements between two of them are a block, behind
// which a failing thread jumps; there the workgroup leaves together.
//
// For example, the kernel of package imp's comment becomes in CUDA C
//
//	extern "C" __global__ __launch_bounds__(256) void kernel_main(const i32 *__restrict__ xs, i32 *__restrict__ ys, const Params params) {
//	  …
//	  const i32 i = thread_id;
//	  if (i < n) {
//	    ys[i] = (i32)((u32)xs[i] * 2u);
//	  }
//	}
package cfamily
