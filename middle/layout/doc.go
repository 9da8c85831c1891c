// Package layout lays arrays out for the kernels that read them (core IR of the kernels stage in and out).
//
// Neighbouring threads of a GPU should access neighbouring elements: 32 threads that read a row each touch a sector of memory each, eight
// times as much as they ask for (Note [Traffic]). This pass finds what neighbouring threads read and write far apart, and
//
//   - runs the points of the kernel that made an array in another order, so that their results lie as readers want them, where that is sure
//     to lose nowhere (Note [Producers]);
//   - lets the kernel whose points make rows of a result write element by element of all rows, side by side (#[interleaved], which
//     package memory honours);
//   - cuts reductions along columns into chunks, so that neighbouring threads have neighbouring columns (Note [Columns]);
//   - copies an array that is read more often than a copy costs, transposed, before the kernel, or before the loops around it (Note
//     [Copies]). Of the last two, sizes decide where the program runs.
//
// An array that is laid out in another order is a view (rearrange) of one that has its dimensions in that order; nothing else changes.
//
//	let (ys_4: [n_1][16i64]f32) = segmap.grid (i_5 < n_1, j_6 < 16i64) (f32) ...
//	let (r_7: [16i64]f32) = segred.grid (j_8 < 16i64, i_9 < n_1) (f32) ops ... { let (y_10: f32) = index ys_4 [i_9, j_8] ... }
//
// becomes
//
//	let (ys_11: [16i64][n_1]f32) = segmap.grid (j_6 < 16i64, i_5 < n_1) (f32) ...
//	let (ys_4: [n_1][16i64]f32) = rearrange (1, 0) ys_11
//	let (r_7: [16i64]f32) = segred.grid (j_8 < 16i64, i_9 < n_1) (f32) ops ... { let (y_10: f32) = index ys_4 [i_9, j_8] ... }
//
// Processors, whose tasks run their points one after the other, keep rows as they are. The package imports core, functions, pass, splitk,
// which cuts reductions, and tile, whose kernels read through workgroup memory.
package layout
