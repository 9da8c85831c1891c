// Package reuse lets arrays that a thread of a kernel makes for itself have the same memory where they are not in use at a time: core IR of
// the memory stage comes in and goes out.
//
// Note [Reuse]
//
// Placement (package memory) allocates an array of a kernel where it is made. Blocks with as many elements of the same type, whose lives do
// not overlap (Note [Lives of arrays]), become one, which is allocated at the top of the kernel's code, in front of the loops and branches
// that they were in. Package expand then has fewer blocks to find memory for, so that more points run side by side, and more of what they
// work on stays in the device's cache. That they have as many elements is seen by factors: sizes that are the same at all points.
//
//	let (xs_5: [n_1]i32) = segmap.grid (i_6 < n_1) (i32) {
//	  let (a_mem_7: mem(i32, private)) = alloc i32 m_2 private
//	  let (a_8: [m_2]i32 @a_mem_7{0; 1}) = …
//	  let (x_9: i32) = index a_8 [k_3]
//	  let (b_mem_10: mem(i32, private)) = alloc i32 m_2 private
//	  let (b_11: [m_2]i32 @b_mem_10{0; 1}) = replicate [m_2] x_9
//
//	let (xs_5: [n_1]i32) = segmap.grid (i_6 < n_1) (i32) {
//	  let (a_mem_7: mem(i32, private)) = alloc i32 m_2 private
//	  let (a_8: [m_2]i32 @a_mem_7{0; 1}) = …
//	  let (x_9: i32) = index a_8 [k_3]
//	  let (b_11: [m_2]i32 @a_mem_7{0; 1}) = replicate [m_2] x_9
//
// Left alone are arrays that lie in a thread's private memory (expand.Private), of which compilers make registers and see themselves which
// of them are in use, and workgroup memory, in which lowering finds the places.
//
// The package imports core, expand, functions and pass only.
package reuse
