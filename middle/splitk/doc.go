// Package splitk lets more workgroups share matrix products with few results (core IR of the kernels stage in and out; literature:
// split-k).
//
// A reduction along the innermost dimension whose elements come from rows and columns, as in a matrix product, runs in tiles if each
// point's reduction is a loop, but a product of 100 by 100 results has few tiles, however long its rows are. So the loop is cut
// into chunks: a map over chunks, rows and columns, which package tile tiles, and a reduction of what the chunks leave. Where the program
// runs, sizes decide: there are as many chunks as saturate the device with points. Where these would be fewer than two, or leave a thread
// less than leastChunk iterations, or rows or columns are few, the reduction stays what it was.
//
//	let (zs_4: [n_1][m_2]f32) = segred.grid (i_5 < n_1, j_6 < m_2, k_7 < l_3) (f32) ops (...) { ... xs_8 [i_5, k_7] ... ys_9 [k_7, j_6] ... }
//
// becomes, in the branch where that pays,
//
//	let (parts_10: [s_11][n_1][m_2]f32) = segmap.grid (c_12 < s_11, i_5 < n_1, j_6 < m_2) (f32) { ... loop ... for t_13 < chunk_14 ... }
//	let (zs_4: [n_1][m_2]f32) = segred.grid (i_15 < n_1, j_16 < m_2, c_17 < s_11 + rest_18) (f32) ops (...) { ... parts_10 [c_17, ...] ... }
//
// where the second reduction also has the elements behind the last chunk.
//
// Elements are combined in their order, so operators need not commute. The package imports core, functions, pass and tile, which it asks
// whether the map would run in tiles.
package splitk
