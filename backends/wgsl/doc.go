// Package wgsl prints kernels of the low-level program as WGSL modules, one a
// kernel, in two dialects from one printer: portable (standard WGSL, where
// 64-bit types are pairs of words that functions of package shaders compute
// with) and native (wgpu-native's, with 64-bit types and atomics of its own).
// Each type is chosen by itself, from Options.
//
// It sees middle/imp and shaders; it must not import the core IR or a runtime
// but prim.
//
// In: a kernel that imp.Verify accepts. Out: imp.Code, whose buffers and
// parameters are bound as package runtime/device describes.
//
// Note [Values in registers]
//
//	i8 i16 i32 idx   i32, sign-extended          u8 u16 u32   u32, zero-extended
//	i64 u64 f64      as they are, or vec2<u32>   bool         bool
//	f32              f32                         f16          f16, or f32 kept rounded
//
// In shared and private arrays a small integer takes a word, in global memory
// i8, i16, u8, u16, bool (and f16 where the device lacks it) are packed. A
// store to a packed array replaces bits of a word that other threads may be
// changing too, so such an array is atomic.
//
// Note [Failing threads]
//
// A failed assertion notes its site in the failure buffer. In a kernel without
// barriers the thread then returns. With barriers, the statements between two of
// them form a loop that runs once; a failing thread breaks out of it and clears
// its flag alive, and the workgroup leaves together before the next barrier.
// Checks that all threads agree on (package imp's Note [Checks that all threads
// agree on]) they fail together, and return.
//
// For example, the kernel of package imp's comment becomes
//
//	@compute @workgroup_size(256)
//	fn main(...) {
//	  let group_id = ...;
//	  let i = i32(group_id * 256u + local_id);
//	  if (i < params.n) {
//	    ys[i] = xs[i] * 2;
//	  }
//	}
package wgsl
