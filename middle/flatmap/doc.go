// Package flatmap makes SOACs of maps whose function returns segments of different lengths.
//
// In: a program at StageSOACS, simplified and fused, with core.FlatMap. Out: the same without. A map computes how long the segments are,
// a scan where they begin, and a map fills them in (Note [Flat maps]). Before, in short:
//
//	let (total_1, lengths_2, starts_3, ys_4) = flatmap n_5 (xs_6) segments 1 (x_7: i64) {
//	  let (y_8: [x_7]i64) = iota.i64 x_7 0i64 1i64
//	  in (x_7, y_8)
//	}
//
// After:
//
//	let (lengths_2) = screma n_5 (xs_6) map fn (x_7) { in (x_7) }
//	let (ends_9) = screma n_5 (lengths_2) … scans (+)
//	let (starts_3) = screma n_5 (ends_9, lengths_2) map (-)
//	let (total_1) = if n_5 == 0 { 0 } else { ends_9[n_5 - 1] }
//	let (ys_4) = withacc (fn (acc) { screma n_5 (starts_3, lengths_2, xs_6) map fn (…) { … } })
//
// The package imports core, functions and pass only.
package flatmap
