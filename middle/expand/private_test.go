package expand_test

import (
	"regexp"
	"slices"
	"testing"

	"skald/middle/core"
	"skald/middle/expand"
	"skald/middle/facts"
	"skald/middle/memory"
	"skald/middle/pass"
	"skald/middle/passtest"
)

// largeArrays is a kernel whose threads make arrays of 100 and 120 elements of four bytes, and a reduction whose points make one.
const largeArrays = `stage kernels
fun main (n_1: i64, xs_2: [n_1]i32): (r_3: [n_1]i32, s_4: i32) = {
  let (r_5: [n_1]i32) = segmap.grid (i_6 < n_1) (i32) {
    let (x_7: i32) = index xs_2 [i_6]
    let (s_8: [100i64]i32) = scratch i32 [100i64]
    let (a_9: [100i64]i32) = update s_8 [0i64] x_7
    let (s_10: [120i64]i32) = scratch i32 [120i64]
    let (b_11: [120i64]i32) = loop (p_12: [120i64]i32 = s_10) for j_13: i64 < 120i64 {
      let (q_14: [120i64]i32) = update p_12 [j_13] 5i32
      in (q_14)
    }
    let (a_15: [100i64]i32) = loop (p_16: [100i64]i32 = a_9) for j_17: i64 < 99i64 {
      let (y_18: i32) = index b_11 [j_17]
      let (z_19: i32) = index p_16 [j_17]
      let (w_20: i32) = add.i32 y_18 z_19
      let (k_21: i64) = add.i64 j_17 1i64
      let (q_22: [100i64]i32) = update p_16 [k_21] w_20
      in (q_22)
    }
    let (l_23: i32) = index a_15 [99i64]
    in (l_23)
  }
  let (s_24: i32) = segred.grid (i_25 < n_1) (i32) ops (comm neutral (0i32) fn (x_26: i32, y_27: i32): (i32) {
    let (t_28: i32) = add.i32 x_26 y_27
    in (t_28)
  }) {
    let (x_29: i32) = index xs_2 [i_25]
    let (s_30: [100i64]i32) = scratch i32 [100i64]
    let (c_31: [100i64]i32) = update s_30 [7i64] x_29
    let (y_32: i32) = index c_31 [7i64]
    in (y_32)
  }
  in (r_5, s_24)
}
entry "main" main ""
`

var privateAlloc = regexp.MustCompile(`alloc i32 (\d+)i64 private`)

// Arrays of constant size lie in private memory as long as there is room, the others are scratch: see Note [Private arrays].
func TestLargeArraysArePrivateWhereThereIsRoom(t *testing.T) {
	prog, err := core.Parse(largeArrays)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		bytes   int
		private []string
	}{
		{0, nil}, {399, nil}, {400, []string{"100", "100"}}, {879, []string{"100", "100"}}, {880, []string{"100", "120", "100"}},
	} {
		ctx := &pass.Context{DumpDir: t.TempDir(), Device: facts.Facts{PrivateBytes: c.bytes}}
		placed, d := pass.Apply(ctx, expand.Pass, passtest.Apply(t, memory.Pass, prog), core.Print)
		if d != nil {
			t.Fatal(d)
		}
		if err := core.Verify(placed); err != nil {
			t.Fatal(err)
		}
		var private []string
		for _, m := range privateAlloc.FindAllStringSubmatch(core.Print(placed), -1) {
			private = append(private, m[1])
		}
		if !slices.Equal(private, c.private) {
			t.Errorf("%d bytes: private arrays of %v elements, want %v", c.bytes, private, c.private)
		}
		passtest.SameResults(t, prog, placed, "main", "3i64\n[4i32, 5i32, 9i32]\n")
	}
}
