package imp_test

import (
	"strings"
	"testing"

	"skald/middle/imp"
)

// aheadText is a loop over blocks of three numbers whose rounds a kernel ends, with a body to be filled in.
const aheadText = `tune "n" "outer" 0
site "a.fut:1:1" "refused" ()
kernel add(k_1: i64, read @xs_0: i64, write @ys_1: i64) group 4 {
  for i_2: idx < conv.i64.idx(k_1) {
    @ys_1[thread_id] = add.i64(@xs_0[thread_id], conv.idx.i64(i_2))
  }
}
kernel counted(read @xs_0: i64, write @ys_1: i64) group 4 {
  for i_1: idx < conv.i64.idx(@xs_0[0:idx]) {
    @ys_1[thread_id] = conv.idx.i64(i_1)
  }
}
kernel search(read @xs_0: i64, write @ys_1: i64) group 4 {
  let i_1: i64 = @xs_0[0:idx]
  let go_2: bool = true
  while go_2 {
    if lt.i64(i_1, 0:i64) {
      go_2 = false
    }
    i_1 = sub.i64(i_1, 1:i64)
  }
  @ys_1[thread_id] = i_1
}
kernel ending(read @xs_0: i64, write @ys_1: i64) group 4 {
  let i_1: i64 = @xs_0[0:idx]
  while lt.i64(0:i64, i_1) ends {
    i_1 = shr.i64(i_1, 1:i64)
  }
  @ys_1[thread_id] = i_1
}
kernel checked(read @xs_0: i64, write @ys_1: i64) group 4 {
  assert lt.i64(@xs_0[0:idx], 9:i64) site 0 ()
  @ys_1[thread_id] = 1:i64
}
fun main(n_1: i64, xs_2: block) -> (p_3) {
  let p_3: block = xs_2
  let more_4: bool = true
  let r_5: i64 = 0:i64
  let i_6: i64 = 0:i64
  while more_4 {
BODY
    let next_7: bool = lt.i64(x_8, 9:i64)
    p_3 = ys_9
    i_6 = add.i64(i_6, 1:i64)
    more_4 = next_7
  }
}
`

// Statements of a loop may be done ahead as long as they write only blocks of their own, cannot fail, and ask the same in each round.
func TestWhatMayBeDoneAheadIsInVainWithoutHarm(t *testing.T) {
	const read = "read x_8: i64 = ys_9[0:i64]"
	for _, c := range []struct {
		name string
		body []string
		want int
	}{
		{"a new block", []string{"alloc ys_9: i64[n_1]", "launch add<1:i64>(n_1) blocks(p_3, ys_9) fits()", read}, 2},
		{"by another name", []string{
			"alloc z_10: i64[n_1]", "let ys_9: block = z_10", "free z_10", "launch add<1:i64>(n_1) blocks(p_3, ys_9) fits()", read,
		}, 4},
		{"in a branch and a loop", []string{
			"alloc ys_9: i64[n_1]", "fill i64 ys_9[0:i64], n_1 = 1:i64", "if lt.i64(n_1, 9:i64) {\n for j_10: i64 < n_1 {",
			"launch add<1:i64>(j_10) blocks(p_3, ys_9) fits()\n }\n }", read,
		}, 3},
		{"for a tuning parameter", []string{
			"tune k_10 = 0", "alloc ys_9: i64[k_10]", "launch add<1:i64>(k_10) blocks(p_3, ys_9) fits()", read,
		}, 3},
		{"not on constants", []string{"data ys_9: i64 \"12345678\"", "launch add<1:i64>(n_1) blocks(p_3, ys_9) fits()", read}, 0},
		{"up to a reading", []string{
			"alloc a_10: i64[n_1]", "launch add<1:i64>(n_1) blocks(p_3, a_10) fits()", "read m_11: i64 = a_10[0:i64]",
			"alloc ys_9: i64[m_11]", "launch add<1:i64>(m_11) blocks(p_3, ys_9) fits()", read,
		}, 2},
		{"up to a reading in a branch", []string{
			"alloc a_10: i64[n_1]", "launch add<1:i64>(n_1) blocks(p_3, a_10) fits()", "let m_12: i64 = 0:i64",
			"if lt.i64(0:i64, n_1) {\n read m_11: i64 = a_10[0:i64]\n m_12 = m_11\n }", "let ys_9: block = a_10", read,
		}, 3},
		{"not what was there before", []string{"let ys_9: block = p_3", "launch add<1:i64>(n_1) blocks(p_3, ys_9) fits()", read}, 0},
		{"not what may have been there before", []string{
			"alloc ys_9: i64[n_1]", "for j_10: i64 < n_1 {\n launch add<1:i64>(n_1) blocks(p_3, ys_9) fits()\n ys_9 = p_3\n }", read,
		}, 0},
		{"nor sizes of this round", []string{"alloc ys_9: i64[i_6]", "launch add<1:i64>(n_1) blocks(p_3, ys_9) fits()", read}, 0},
		{"nor arguments", []string{"alloc ys_9: i64[n_1]", "launch add<1:i64>(i_6) blocks(p_3, ys_9) fits()", read}, 0},
		{"nor groups", []string{"alloc ys_9: i64[n_1]", "launch add<i_6>(n_1) blocks(p_3, ys_9) fits()", read}, 0},
		{"nor what is not known", []string{
			"alloc ys_9: i64[n_1]", "launch add<1:i64>(n_1) blocks(p_3, ys_9) fits()", "let t_10: i64 = add.i64(r_5, 1:i64)", read, "r_5 = x_8",
		}, 0},
		{"a check of the host", []string{
			"assert lt.i64(n_1, 9:i64) site 0 ()", "alloc ys_9: i64[n_1]", "launch add<1:i64>(n_1) blocks(p_3, ys_9) fits()", read,
		}, 0},
		{"a check of a kernel", []string{"alloc ys_9: i64[n_1]", "launch checked<1:i64>() blocks(p_3, ys_9) fits()", read}, 0},
		{"a loop over what is computed", []string{"alloc ys_9: i64[n_1]", "launch counted<1:i64>() blocks(p_3, ys_9) fits()", read}, 0},
		{"a loop that may not end", []string{"alloc ys_9: i64[n_1]", "launch search<1:i64>() blocks(p_3, ys_9) fits()", read}, 0},
		{"a loop that ends", []string{"alloc ys_9: i64[n_1]", "launch ending<1:i64>() blocks(p_3, ys_9) fits()", read}, 2},
		{"nothing launched", []string{"alloc ys_9: i64[n_1]", "fill i64 ys_9[0:i64], n_1 = 1:i64", read}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.ReplaceAll(aheadText, "BODY", strings.Join(c.body, "\n"))
			p, err := imp.Parse(text)
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			out := imp.Ahead(p)
			for _, p := range []*imp.Prog{p, out} {
				if err := imp.Verify(p); err != nil {
					t.Fatalf("%v\n%s", err, imp.Print(p))
				}
			}
			got := -1
			imp.Walk(out.Funs[0].Body, func(s imp.Stm) bool {
				if w, ok := s.(*imp.While); ok {
					got = w.Ahead
				}
				return true
			})
			if got != c.want {
				t.Errorf("%d statements may be done ahead, wanted %d:\n%s", got, c.want, text)
			}
			again, err := imp.Parse(imp.Print(out))
			if err != nil || imp.Print(again) != imp.Print(out) {
				t.Errorf("%v: is not read as it is printed:\n%s", err, imp.Print(out))
			}
		})
	}
}
