// Package elect has histograms whose operator returns one of its operands keep the numbers of points in their bins (core IR of the kernels
// stage in and out).
//
// The operators of argmax, of the lexicographic least of some values and of the like combine several values, which no device updates
// atomically, but what they return is one of the points' values, whole. So a bin holds the number of the point that has won so far, one
// word, which compare and swap updates; the operator computes the values of two points again, from what the histogram's body reads. A map
// over the bins behind it looks up the winners' values and combines them with what the destination held.
//
//	let (xs_8: [k_1]i32, is_9: [k_1]i64) = seghist.grid (i_5 < n_2) (i64, i32, i64) ops ([k_1] (xs_6, is_7) neutral (...) fn (...) { ... })
//
// becomes, where the points have numbers of 32 bits and bins are not few,
//
//	let (none_10: [k_1]i32) = segmap.grid (i_11 < k_1) (i32) { in (-1i32) }
//	let (won_12: [k_1]i32) = seghist.grid (i_13 < n_2) (i64, i32) ops ([k_1] (none_10) neutral (-1i32) fn (a_14, b_15) { ... }) { ... }
//	let (xs_8: [k_1]i32, is_9: [k_1]i64) = segmap.grid (i_16 < k_1) (i32, i64) { ... won_12 [i_16] ... xs_6 [i_16] ... }
//
// Values that are costly to compute again stay as they are. Code for the values of points is written whole: simplification removes what is
// not used. The package imports core, functions and pass.
package elect
