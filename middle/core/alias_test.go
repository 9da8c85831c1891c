package core

import "testing"

func TestAliasesFollowViewsLoopsAndLambdas(t *testing.T) {
	p, err := Parse(`stage soacs
fun main (n_1: i64, a_2: *[n_1][n_1]i32, b_3: [n_1][n_1]i32): (r_4: [n_1][n_1]i32) = {
  let (v_5: [n_1][n_1]i32) = rearrange (1, 0) a_2
  let (w_6: [n_1]i32) = index v_5 [0i64, 0i64:n_1:1i64]
  let (c_7: [n_1][n_1]i32) = copy b_3
  let (l_8: [n_1][n_1]i32) = loop (p_9: [n_1][n_1]i32 = a_2) for i_10: i64 < n_1 {
    let (q_11: [n_1][n_1]i32) = update p_9 [i_10, 0i64] 1i32
    in (q_11)
  }
  let (m_12: [n_1]i32) = screma n_1 (b_3) map fn (row_13: [n_1]i32): (i32) {
    let (x_14: i32) = index row_13 [0i64]
    in (x_14)
  }
  in (l_8)
}`)
	if err != nil {
		t.Fatal(err)
	}
	a := AliasesOf(p.Funs[0])
	for _, pair := range [][2]Var{{2, 5}, {5, 6}, {2, 8}, {9, 11}, {3, 13}} {
		if !a.MayAlias(pair[0], pair[1]) {
			t.Errorf("%v do not alias", pair)
		}
	}
	for _, pair := range [][2]Var{{2, 3}, {3, 7}, {3, 12}} {
		if a.MayAlias(pair[0], pair[1]) {
			t.Errorf("%v alias", pair)
		}
	}
	for v, want := range map[Var]bool{2: true, 6: true, 3: false, 7: false, 12: false} {
		if a.Consumed(v) != want {
			t.Errorf("Consumed(%d) is %v", v, !want)
		}
	}
}
