package lower_test

import (
	"strings"
	"testing"

	"skald/middle/lower"
)

// handed has, in each workgroup, a scan and a map of what it returns, at the points and at the last one, and a second scan, whose results
// are read at AT.
const handed = `stage memory
fun main (k_1: i64, m_2: mem(i32, device), xs_3: [k_1][64i64]i32 @m_2{0; 64, 1}):
  (m_4: mem(i32, device), r_5: [k_1][64i64]i32 @m_4{0; 64, 1}) = {
  let (n_6: i64) = mul.i64 k_1 64i64
  let (m_7: mem(i32, device)) = alloc i32 n_6 device
  let (r_8: [k_1][64i64]i32 @m_7{0; 64, 1}) = segmap.group (i_9 < k_1) ([64i64]i32) {
    let (a_10: mem(i32, group)) = alloc i32 64i64 group
    let (as_11: [64i64]i32 @a_10{0; 1}) = segmap.ingroup (j_12 < 64i64) (i32) {
      let (x_13: i32) = index xs_3 [i_9, j_12]
      in (x_13)
    }
    let (b_14: mem(i32, group)) = alloc i32 64i64 group
    let (bs_15: [64i64]i32 @b_14{0; 1}) = segscan.ingroup (j_16 < 64i64) (i32) ops (neutral (0i32) fn (p_17: i32, q_18: i32): (i32) {
      let (t_19: i32) = add.i32 p_17 q_18
      in (t_19)
    }) {
      let (j_20: i64) = sub.i64 63i64 j_16
      let (x_21: i32) = index as_11 [j_20]
      in (x_21)
    }
    let (last_22: i32) = index bs_15 [63i64]
    let (c_23: mem(i32, group)) = alloc i32 64i64 group
    let (cs_24: [64i64]i32 @c_23{0; 1}) = segscan.ingroup (j_25 < 64i64) (i32) ops (neutral (0i32) fn (p_26: i32, q_27: i32): (i32) {
      let (t_28: i32) = max.i32 p_26 q_27
      in (t_28)
    }) {
      let (x_29: i32) = index bs_15 [j_25]
      let (t_30: i32) = sub.i32 x_29 last_22
      in (t_30)
    }
    let (r_31: [64i64]i32 @m_7{64*i_9; 1}) = segmap.ingroup (j_32 < 64i64) (i32) {
      let (x_33: i32) = index bs_15 [j_32]
      let (at_36: i64) = sub.i64 63i64 j_32
      let (y_34: i32) = index cs_24 [AT]
      let (t_35: i32) = add.i32 x_33 y_34
      in (t_35)
    }
    in (r_31)
  }
  in (m_7, r_8)
}
`

var workgroups = lower.Facts{GroupSize: 256, WideBytes: 48 << 10, SubgroupSize: 32}

func TestThreadsHoldWhatOthersDoNotRead(t *testing.T) {
	own := lowered(t, strings.ReplaceAll(handed, "AT", "j_32"), workgroups)
	has(t, own, "shared @arena_0_2: i32[64]", "private @bs_", "private @cs_", "-arena_1")
	// The element that all read goes through workgroup memory.
	has(t, own, "if eq.idx(local_id, 63:idx)")
	other := lowered(t, strings.ReplaceAll(handed, "AT", "at_36"), workgroups)
	has(t, other, "private @bs_", "-private @cs_", "= @arena_0_2[at_")
}
