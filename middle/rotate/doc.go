// Package rotate moves what each round of a loop of the host computes first to the end of the round before, and to before the loop: core IR
// with SOACs in and out. See Note [Rotated loops].
//
//	let (m_1: i64) = if none_2 { in (0) } else { … index upto_3 … }
//	let (ys_4: [m_1]i32) = index all_5 [0:m_1:1]
//	let (…) = loop (more_6: bool = true, d_7: i64 = m_1, zs_8: [d_7]i32 = ys_4) while more_6 {
//	  let (sum_9: i32) = screma d_7 (zs_8) … reds (+)
//	  let (big_10: bool) = gt sum_9 100
//	  let (e_11: i64, ws_12: [e_11]i32) = if big_10 { … }
//	  in (big_10, e_11, ws_12)
//	}
//
// becomes
//
//	let (sum_13: i32) = screma m_1 (ys_4) … reds (+)
//	let (…) = loop (more_6: bool = true, d_7: i64 = m_1, zs_8: [d_7]i32 = ys_4, sum_9: i32 = sum_13) while more_6 {
//	  let (big_10: bool) = gt sum_9 100
//	  let (e_11: i64, ws_12: [e_11]i32, sum_14: i32) = if big_10 { … screma … } else { … in (…, 0) }
//	  in (big_10, e_11, ws_12, sum_14)
//	}
//
// Fusion then has the first reduction beside the filter that it reads. The package imports core, functions and pass only.
package rotate
