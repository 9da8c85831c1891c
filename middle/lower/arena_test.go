package lower_test

import (
	"testing"

	"skald/middle/imp"
	"skald/middle/lower"
	"skald/middle/passtest"
)

// square has, in each workgroup, an array of n by n numbers and two of n longer ones.
const square = `stage memory
fun main (k_1: i64, n_2: i64): (m_3: mem(i64, device), r_4: [k_1]i64 @m_3{0; 1}) = {
  let (t_5: i64) = mul.i64 n_2 n_2
  let (m_6: mem(i64, device)) = alloc i64 k_1 device
  let (r_7: [k_1]i64 @m_6{0; 1}) = segmap.group (i_8 < k_1) (i64) {
    let (a_9: mem(i32, group)) = alloc i32 t_5 group
    let (xs_10: [t_5]i32 @a_9{0; 1}) = segmap.ingroup (j_11 < t_5) (i32) {
      let (x_12: i32) = conv.i64.i32 j_11
      in (x_12)
    }
    let (b_13: mem(i64, group)) = alloc i64 n_2 group
    let (ys_14: [n_2]i64 @b_13{0; 1}) = segmap.ingroup (j_15 < n_2) (i64) {
      let (k_16: i64) = sub.i64 n_2 j_15
      let (l_17: i64) = sub.i64 k_16 1i64
      let (x_18: i32) = index xs_10 [l_17]
      let (y_19: i64) = conv.i32.i64 x_18
      in (y_19)
    }
    let (s_20: i64) = segred.ingroup (j_21 < n_2) (i64) ops (neutral (0i64) fn (p_22: i64, q_23: i64): (i64) {
      let (u_24: i64) = add.i64 p_22 q_23
      in (u_24)
    }) {
      let (l_25: i64) = sub.i64 n_2 j_21
      let (l_26: i64) = sub.i64 l_25 1i64
      let (y_27: i64) = index ys_14 [l_26]
      in (y_27)
    }
    in (s_20)
  }
  in (m_6, r_7)
}
`

// Arrays of a workgroup share its memory as each launch needs it: 90 by 90 i32 and 90 i64 need 33,120 of 49,152 bytes.
func TestArraysOfOneTypeMayTakeMostMemoryOfAWorkgroup(t *testing.T) {
	p, err := run(passtest.Parse(t, square), lower.Facts{GroupSize: 256, WideBytes: 48 << 10})
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, k := range p.Kernels {
		found = found || len(k.Sized()) == 2 && k.Room >= 90*90*4+90*8
	}
	if !found {
		t.Errorf("no kernel has room for the arrays:\n%s", imp.Print(p))
	}
}
