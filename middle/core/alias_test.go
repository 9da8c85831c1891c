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

func TestAliasesFollowPostLambdasAndBranches(t *testing.T) {
	p, err := Parse(`stage soacs
fun main (n_1: i64, a_2: [n_1][n_1]i32, k_3: i32, b_4: [n_1]i32): (r_5: [n_1]i32) = {
  let (s_6: [n_1]i32, o_7: [n_1]i32) = screma n_1 (a_2)
    map fn (row_8: [n_1]i32): (i32, [n_1]i32) {
      in (1i32, row_8)
    }
    scans (neutral (0i32) fn (x_9: i32, y_10: i32): (i32) {
      let (z_11: i32) = add.i32 x_9 y_10
      in (z_11)
    })
    post fn (sum_12: i32, kept_13: [n_1]i32): (i32, i32) {
      let (u_14: [n_1]i32) = update kept_13 [0i64] sum_12
      let (e_15: i32) = index u_14 [0i64]
      in (sum_12, e_15)
    }
  let (c_16: [n_1]i32) = switch k_3 { case 1i32 {
    in (o_7)
  } default {
    in (b_4)
  } }
  in (c_16)
}`)
	if err != nil {
		t.Fatal(err)
	}
	if err := Verify(p); err != nil {
		t.Fatal(err)
	}
	a := AliasesOf(p.Funs[0])
	for _, pair := range [][2]Var{{2, 8}, {8, 13}, {13, 14}, {16, 7}, {16, 4}} {
		if !a.MayAlias(pair[0], pair[1]) {
			t.Errorf("%v do not alias", pair)
		}
	}
	if !a.Consumed(2) {
		t.Error("an update of a row that a post lambda gets is not seen")
	}
}
