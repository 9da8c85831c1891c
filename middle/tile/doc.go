// Package tile finds the segmented maps whose points share what their loops read, and has workgroups compute them in tiles: core IR of
// the memory stage comes in and goes out. It only adds core.Tiling; lowering makes the kernels, with the help of Plan.
//
// Note [Tiles]
//
// Where a map over i and j is a loop over k that reads a[i, k] and b[k, j], each element of a is read by all threads of a
// row and each of b by all of a column. So a workgroup takes a tile of points, and the iterations a few at a time: its threads load
// together what the tile reads there into workgroup memory, once, in the order in which it lies in memory, and go on from there. A thread
// has several rows and columns, and keeps their accumulators in registers (Volkov and Demmel, Benchmarking GPUs to Tune Dense Linear
// Algebra, 2008).
//
// What may be tiled is a question of data flow: each statement of the loop belongs to the rows, to the columns, to neither or to both, by
// the dimensions of the space that it depends on. No read may belong to both, nor to the accumulators. What the statements of both need of
// those of one side is staged: computed when a tile is loaded, once for all points that share it, checks included. The operators do not
// matter, nor the number of accumulators, nor from how many arrays a side comes.
//
// Without rows (all pairs: a map over i of a loop over j that reads x[j]) a tile is one row of points, which share what belongs to
// neither. What belongs to the columns is read by its thread; through workgroup memory where the elements of one thread lie together in
// memory and those of neighbours do not.
//
//	let (c_9: [n_1][m_2]f32 @c_mem_8{0; m_2, 1}) = segmap.grid (i_10 < n_1, j_11 < m_2) (f32) {
//	  let (r_12: f32) = loop (acc_13: f32 = 0.0f32) for k_14: i64 < q_3 {
//	    let (x_15: f32) = index a_5 [i_10, k_14]
//	    let (y_16: f32) = index b_7 [k_14, j_11]
//	    ...
//
//	let (c_9: [n_1][m_2]f32 @c_mem_8{0; m_2, 1}) = segmap.grid (i_10 < n_1, j_11 < m_2) (f32) tiled (0) (1) (128 128 16 by 8 8, ...) {
//
// The package imports core, facts, functions, pass and runtime/prim only.
package tile
