package lower_test

import (
	"strings"
	"testing"
)

// diagonals has, in each workgroup, a map that reads a square of memory at (7 - i, i) and a scatter of what it returns, with a border.
const diagonals = `stage memory
fun main (k_1: i64, m_2: mem(i32, device), xs_3: [k_1][9i64][9i64]i32 @m_2{0; 81, 9, 1}):
  (m_4: mem(i32, device), r_5: [k_1][9i64][9i64]i32 @m_4{0; 81, 9, 1}) = {
  let (n_6: i64) = mul.i64 k_1 81i64
  let (m_7: mem(i32, device)) = alloc i32 n_6 device
  let (r_8: [k_1][9i64][9i64]i32 @m_7{0; 81, 9, 1}) = segmap.group (i_9 < k_1) ([9i64][9i64]i32) {
    let (a_10: mem(i32, group)) = alloc i32 81i64 group
    let (as_11: [9i64][9i64]i32 @a_10{0; 9, 1}) = segmap.ingroup (j_12 < 9i64, k_13 < 9i64) (i32) {
      let (x_14: i32) = index xs_3 [i_9, j_12, k_13]
      in (x_14)
    }
    let (b_15: mem(i64, group)) = alloc i64 8i64 group
    let (c_16: mem(i32, group)) = alloc i32 8i64 group
    let (bs_17: [8i64]i64 @b_15{0; 1}, cs_18: [8i64]i32 @c_16{0; 1}) = segmap.ingroup (t_19 < 8i64) (i64, i32) {
      let (s_20: i32) = conv.i64.i32 t_19
      let (u_21: i32) = sub.i32 7i32 s_20
      let (y_22: i64) = conv.i32.i64 u_21
      let (x_23: i32) = index as_11 [y_22, t_19]
      let (late_24: bool) = lt.i64 6i64 t_19
      let (to_25: i64) = if late_24 {
        in (-1i64)
      } else {
        let (v_26: i64) = WRITTEN
        in (v_26)
      }
      in (to_25, x_23)
    }
    let (ds_27: [9i64][9i64]i32 @a_10{0; 9, 1}) = withacc ([9i64, 9i64] (as_11)) fn (acc_28: acc(acc_28)): (acc(acc_28)) {
      let (acc_29: acc(acc_28)) = segmap.ingroup (t_30 < 8i64) (acc(acc_28)) {
        let (at_31: i64) = index bs_17 [t_30]
        let (v_32: i32) = index cs_18 [t_30]
        let (w_33: i64) = add.i64 t_30 COLUMN
        let (acc_34: acc(acc_28)) = updateacc acc_28 [at_31, w_33] (v_32)
        in (acc_34)
      }
      in (acc_29)
    }
    let (r_35: [9i64][9i64]i32 @m_7{81*i_9; 9, 1}) = segmap.ingroup (j_36 < 9i64, k_37 < 9i64) (i32) {
      let (x_38: i32) = index ds_27 [j_36, k_37]
      in (x_38)
    }
    in (r_35)
  }
  in (m_7, r_8)
}
`

// A scatter waits for no reads of other points but where its points write what others read.
func TestScattersPassReadsOfOtherElements(t *testing.T) {
	for _, c := range []struct {
		name, written, column string
		barriers              int
	}{
		{"behind the diagonal", "add.i64 y_22 1i64", "1i64", 2},
		{"what the point has read", "add.i64 y_22 0i64", "0i64", 2},
		{"the diagonal, moved along", "sub.i64 y_22 1i64", "1i64", 3},
		{"another diagonal", "add.i64 t_19 1i64", "1i64", 3},
		{"unknown", "mul.i64 t_19 t_19", "1i64", 3},
	} {
		text := strings.ReplaceAll(strings.ReplaceAll(diagonals, "WRITTEN", c.written), "COLUMN", c.column)
		if n := strings.Count(lowered(t, text, workgroups), "barrier"); n != c.barriers {
			t.Errorf("%s: %d barriers, not %d", c.name, n, c.barriers)
		}
	}
}
