// Package shortcircuit makes arrays where they are copied to, and over arrays that die: core IR of the memory stage comes in and goes out
// of its two passes, short-circuit and overwrite (Note [Arrays that die]).
//
// Note [Short-circuiting]
//
// An update, a concatenation (which flattening writes as updates of new memory), an array literal and a copy take an array that lies in a
// block of its own and put it into a region of another. Where nothing can tell the difference, the array is made in that region to begin
// with, its block is not allocated, and lowering leaves out the copy, which is from a place to itself.
//
//	let (x_mem_3: mem(i32, device)) = alloc i32 n_1 device
//	let (x_4: [n_1]i32 @x_mem_3{0; 1}) = segmap.grid (i_5 < n_1) (i32) { … }
//	let (t_6: i64) = add.i64 n_1 n_1
//	let (y_mem_7: mem(i32, device)) = alloc i32 t_6 device
//	let (y_8: [t_6]i32 @y_mem_7{0; 1}) = scratch i32 [t_6]
//	let (y_9: [t_6]i32 @y_mem_7{0; 1}) = update y_8 [n_1:n_1:1i64] x_4
//
//	let (t_6: i64) = add.i64 n_1 n_1
//	let (y_mem_7: mem(i32, device)) = alloc i32 t_6 device
//	let (x_4: [n_1]i32 @y_mem_7{n_1; 1}) = segmap.grid (i_5 < n_1) (i32) { … }
//	let (y_8: [t_6]i32 @y_mem_7{0; 1}) = scratch i32 [t_6]
//	let (y_9: [t_6]i32 @y_mem_7{0; 1}) = update y_8 [n_1:n_1:1i64] x_4
//
// This is done on the host and in kernels, body by body, the last copy first, so that an array which is copied twice goes to its last place
// at once. In a kernel, what a loop begins with, and what a round makes once nothing reads the last round's, is made in the loop's place.
// Kernels still allocate where arrays are made (package expand comes behind). It is right where
//
//   - the array's block is allocated in the body, and nobody gets it as a block (results, calls, loops that change blocks);
//   - what the region is described by (its block, sizes, indices, and the assertions that it exists) is there before the array is first
//     mentioned, or can be moved there: scalars, assertions and allocations can, as long as assertions stay in order among all that may
//     fail (Note [Moves]);
//   - from there to the copy nothing touches the region, and behind the copy nothing writes to it, or to the array, while the other is
//     still looked at (Note [Conflicts]). Two regions of a block are apart if polynomials of sizes say so (Note [Regions]);
//   - all arrays in the block can be described in the region (Note [Layouts in regions]): they are what the copied one is made of, and
//     views.
//
// Where the copy is the better code it stays: of elements of less than a word, which would share words with what lies beside the region;
// of arrays that would no longer be written, or read, along their last dimension; of scans that would store no vectors any more; of arrays
// that a thread reads from private memory, and would read from scratch.
//
// The package imports core, expand, facts, functions and pass only.
package shortcircuit
