package lower_test

import (
	"strings"
	"testing"

	"skald/middle/imp"
	"skald/middle/lower"
	"skald/middle/passtest"
)

// sums has three sums: a map reads the first, host code the second, before the map takes it, and the third.
const sums = `stage memory

fun main (n_1: i64, m_2: mem(i64, device), xs_3: [n_1]i64 @m_2{0; 1}):
    (r_mem_4: mem(i64, device), r_5: *[n_1]i64 @r_mem_4{0; 1}, s_6: i64) = {
  let (kernels_7: i64) = SUM
  let (both_8: i64) = SUM
  let (host_9: i64) = SUM
  let (k_10: i64) = mul.i64 both_8 both_8
  let (mem_11: mem(i64, device)) = alloc i64 n_1 device
  let (ys_12: [n_1]i64 @mem_11{0; 1}) = segmap.grid (i_13 < n_1) (i64) {
    let (x_14: i64) = index xs_3 [i_13]
    let (y_15: i64) = add.i64 x_14 kernels_7
    let (z_16: i64) = add.i64 y_15 both_8
    let (w_17: i64) = add.i64 z_16 k_10
    in (w_17)
  }
  in (mem_11, ys_12, host_9)
}
entry "main" main ""
  param "xs" "[n]i64" -1 1 1
  result "" *"[]i64" -1 0 1
  result "" "i64" -1 2 1
`

// sum is a sum whose variables have the numbers from n on.
func sum(n int) string {
	text := `segred.grid (i_0 < n_1) (i64) ops (comm neutral (0i64) fn (a_1: i64, b_2: i64): (i64) {
    let (c_3: i64) = add.i64 a_1 b_2
    in (c_3)
  }) {
    let (x_4: i64) = index xs_3 [i_0]
    in (x_4)
  }`
	for i, v := range []string{"i_0", "a_1", "b_2", "c_3", "x_4"} {
		text = strings.ReplaceAll(text, v, v[:2]+string(rune('0'+n))+string(rune('0'+i)))
	}
	return text
}

// Blocks of scalars are mapped where host code reads them and no kernel does: see Note [Scalars on the device].
func TestScalarsThatNoKernelReadsAreMapped(t *testing.T) {
	text := sums
	for i := range 3 {
		text = strings.Replace(text, "SUM", sum(2+i), 1)
	}
	p, err := run(passtest.Parse(t, text), lower.Facts{GroupSize: 4, Groups: 2, SharedBytes: 64})
	if err != nil {
		t.Fatal(err)
	}
	if err := imp.Verify(p); err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for line := range strings.Lines(imp.Print(p)) {
		if name, rest, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "alloc "), "_"); ok && strings.Contains(rest, "[1:i64]") {
			got[name] = strings.HasSuffix(rest, " mapped")
		}
	}
	if len(got) != 3 || got["kernels"] || !got["both"] || !got["host"] {
		t.Errorf("mapped: %v, wanted those that host code reads\n%s", got, imp.Print(p))
	}
}
