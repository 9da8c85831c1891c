package imp_test

import (
	"fmt"
	"strings"
	"testing"

	"skald/middle/imp"
)

// Calls of one large function in a row become a loop; one whose results are needed later, one of another function, and those of a small
// function stay.
func TestCallsInARowBecomeALoop(t *testing.T) {
	var body strings.Builder
	for i := range 80 {
		fmt.Fprintf(&body, "  let t_%d: i32 = add.i32(mul.i32(t_%d, 3:i32), y_2)\n", i+4, i+3)
	}
	text := "device mix(x_1: i32, y_2: i32) -> (t_83, sub.i32(x_1, y_2)) {\n  let t_3: i32 = x_1\n" + body.String() + `}
device small(x_1: i32, y_2: i32) -> (add.i32(x_1, y_2), x_1) {
}
kernel k(read @xs_0: i32, write @ys_1: i32) group 2 {
  let x_1: i32 = @xs_0[0:idx]
  invoke a_2: i32, b_3: i32 = mix(x_1, x_1)
  invoke c_4: i32, n_15: i32 = mix(a_2, b_3)
  invoke d_5: i32, e_6: i32 = mix(c_4, x_1)
  @ys_1[0:idx] = add.i32(d_5, e_6)
  invoke f_7: i32, g_8: i32 = mix(x_1, 7:i32)
  invoke h_9: i32, i_10: i32 = mix(f_7, 8:i32)
  @ys_1[1:idx] = add.i32(add.i32(f_7, g_8), sub.i32(h_9, i_10))
  invoke j_11: i32, k_12: i32 = small(x_1, 7:i32)
  invoke l_13: i32, m_14: i32 = small(j_11, k_12)
  @ys_1[2:idx] = add.i32(l_13, m_14)
}
`
	p, err := imp.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	after := imp.Reroll(p)
	if err := imp.Verify(after); err != nil {
		t.Fatal(err)
	}
	got := imp.PrintKernel(after.Kernels[0])
	loops, calls, small := strings.Count(got, "for "), strings.Count(got, "= mix("), strings.Count(got, "= small(")
	if loops != 1 || calls != 3 || small != 2 {
		t.Errorf("%d loops, %d calls of the large function, %d of the small one:\n%s", loops, calls, small, got)
	}
	sameStores(t, p.Kernels[0], after.Kernels[0])
}
