package eval_test

import (
	"errors"
	"strings"
	"testing"

	"skald/middle/core"
	"skald/middle/core/eval"
	"skald/runtime/value"
)

func run(t *testing.T, src string, opts eval.Options, args ...string) (string, error) {
	t.Helper()
	p, err := core.Parse(src)
	if err == nil {
		err = core.Verify(p)
	}
	if err != nil {
		t.Fatal(err)
	}
	var vals []value.Value
	for _, a := range args {
		v, err := value.Parse(a)
		if err != nil {
			t.Fatal(err)
		}
		vals = append(vals, v)
	}
	res, err := eval.Run(p, "main", vals, opts)
	var out []string
	for _, v := range res {
		out = append(out, v.String())
	}
	return strings.Join(out, " "), err
}

func TestSOACs(t *testing.T) {
	got, err := run(t, `stage soacs
fun main (n_1: i64, xs_2: [n_1]i32): (s_3: i32, p_4: [n_1]i32, k_5: [n_1]i32) = {
  let (s_6: i32, p_7: [n_1]i32, k_8: [n_1]i32) = screma n_1 (xs_2)
    map fn (x_9: i32): (i32, i32, i32) {
      let (y_10: i32) = mul.i32 x_9 10i32
      in (x_9, y_10, x_9)
    }
    scans (neutral (0i32) fn (a_11: i32, b_12: i32): (i32) { let (c_13: i32) = add.i32 a_11 b_12 in (c_13) })
    reds (neutral (-1i32) fn (a_14: i32, b_15: i32): (i32) { let (c_16: i32) = max.i32 a_14 b_15 in (c_16) })
  in (s_6, p_7, k_8)
}`, eval.Options{}, "4i64", "[1i32, 3i32, 2i32, 0i32]")
	if want := "30i32 [1i32, 4i32, 6i32, 6i32] [1i32, 3i32, 2i32, 0i32]"; got != want || err != nil {
		t.Errorf("got %s, %v; want %s", got, err, want)
	}
}

func TestAssertionsSayWhere(t *testing.T) {
	_, err := run(t, `stage soacs
fun main (x_1: i32): (r_2: i32) = {
  let (ok_3: bool) = lt.i32 x_1 3i32
  let (c_4: cert) = assert ok_3 ("too large: ", x_1) at "a.fut:1:2-3" from "a.fut:9:1-5"
  in (x_1)
}`, eval.Options{}, "5i32")
	var a *eval.AssertError
	if !errors.As(err, &a) || a.Msg != "too large: 5i32" || !strings.Contains(err.Error(), "a.fut:9:1-5") {
		t.Errorf("got %v", err)
	}
}

func TestFaultsAreNotAssertions(t *testing.T) {
	_, err := run(t, `stage soacs
fun main (n_1: i64, xs_2: [n_1]i32): (r_3: i32) = {
  let (x_4: i32) = index xs_2 [n_1]
  in (x_4)
}`, eval.Options{}, "2i64", "[1i32, 2i32]")
	var a *eval.AssertError
	if err == nil || errors.As(err, &a) || !strings.Contains(err.Error(), "outside") {
		t.Errorf("got %v", err)
	}
}

// A layout that is not where the elements are is a fault.
func TestWrongLayoutsAreFound(t *testing.T) {
	_, err := run(t, `stage memory
fun main (n_1: i64, m_2: mem(i32, device), xs_3: [n_1][n_1]i32 @m_2{0; n_1, 1}): (r_4: i32) = {
  let (t_5: [n_1][n_1]i32 @m_2{0; n_1, 1}) = rearrange (1, 0) xs_3
  let (x_6: i32) = index t_5 [0i64, 1i64]
  in (x_6)
}`, eval.Options{}, "2i64", "[[1i32, 2i32], [3i32, 4i32]]")
	if err == nil || !strings.Contains(err.Error(), "layout") {
		t.Errorf("got %v", err)
	}
}

// Points of a kernel that depend on each other show when run backwards.
func TestBackwardsShowsDependences(t *testing.T) {
	src := `stage kernels
fun main (n_1: i64, xs_2: *[n_1]i64): (r_3: [n_1]i64) = {
  let (r_4: [n_1]i64) = withacc ([n_1] (xs_2)) fn (acc_5: acc(acc_5)): (acc(acc_5)) {
    let (a_6: acc(acc_5)) = segmap.grid (i_7 < n_1) (acc(acc_5)) {
      let (a_8: acc(acc_5)) = updateacc acc_5 [0i64] (i_7)
      in (a_8)
    }
    in (a_6)
  }
  in (r_4)
}`
	forwards, err := run(t, src, eval.Options{}, "3i64", "[9i64, 9i64, 9i64]")
	if err != nil {
		t.Fatal(err)
	}
	backwards, err := run(t, src, eval.Options{Backwards: true}, "3i64", "[9i64, 9i64, 9i64]")
	if err != nil || forwards == backwards {
		t.Errorf("both orders give %s, %v", forwards, err)
	}
}
