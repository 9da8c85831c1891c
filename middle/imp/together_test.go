package imp_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skald/middle/imp"
)

// togetherText is a function with blocks of one element and of n, with a body to be filled in.
const togetherText = `site "a.fut:1:1" "refused" ()
kernel put(n_1: i64, read @xs_0: i64, write @ys_1: i64) group 1 {
  @ys_1[thread_id] = add.i64(@xs_0[thread_id], n_1)
}
fun main(n_1: i64, xs_2: block) -> (r_9, s_10) {
  alloc a_3: i64[1:i64]
  alloc b_4: i64[1:i64]
  alloc c_5: i64[n_1]
  let r_9: i64 = 0:i64
  let s_10: i64 = 0:i64
  let none_11: bool = eq.i64(n_1, 0:i64)
BODY
}
`

// Readings move to others that wait anyway: up, if what they read is there, and down, if nothing needs it before.
func TestReadingsMoveTogether(t *testing.T) {
	for _, c := range []struct {
		name       string
		body, want []string
	}{
		{
			"past a check and out of a branch",
			[]string{
				"if none_11 {", "r_9 = 0:i64", "} else {", "read x_12: i64 = a_3[0:i64]", "r_9 = x_12", "}",
				"assert lt.i64(r_9, n_1) site 0 ()", "read y_13: i64 = b_4[0:i64]", "s_10 = y_13",
			},
			[]string{
				"read x_12: i64 = a_3[0:i64]", "read y_13: i64 = b_4[0:i64]", "if none_11 {", "r_9 = 0:i64", "} else {", "r_9 = x_12", "}",
				"assert lt.i64(r_9, n_1) site 0 ()", "s_10 = y_13",
			},
		},
		{
			"out of a branch for no elements, whatever lies between",
			[]string{
				"alloc d_15: i64[n_1]",
				"if none_11 {", "r_9 = 0:i64", "} else {", "let i_12: i64 = sub.i64(n_1, 1:i64)", "read x_13: i64 = d_15[i_12]", "r_9 = x_13", "}",
				"launch put<1:i64>(n_1) blocks(xs_2, b_4) fits()", "read y_14: i64 = b_4[0:i64]", "s_10 = y_14",
			},
			[]string{
				"alloc d_15: i64[max.i64(n_1, 1:i64)]", "launch put<1:i64>(n_1) blocks(xs_2, b_4) fits()",
				"read x_13: i64 = d_15[select.i64(none_11, 0:i64, sub.i64(n_1, 1:i64))]", "read y_14: i64 = b_4[0:i64]",
				"if none_11 {", "r_9 = 0:i64", "} else {", "let i_12: i64 = sub.i64(n_1, 1:i64)", "r_9 = x_13", "}", "s_10 = y_14",
			},
		},
		{
			"out of branches with one condition",
			[]string{
				"if none_11 {", "} else {", "read x_12: i64 = a_3[0:i64]", "r_9 = x_12", "}",
				"if none_11 {", "} else {", "read y_13: i64 = b_4[0:i64]", "s_10 = y_13", "}",
			},
			[]string{
				"read x_12: i64 = a_3[0:i64]", "read y_13: i64 = b_4[0:i64]",
				"if none_11 {", "} else {", "r_9 = x_12", "}", "if none_11 {", "} else {", "s_10 = y_13", "}",
			},
		},
		{
			"out of both sides of a branch",
			[]string{
				"if none_11 {", "} else {", "read x_12: i64 = a_3[0:i64]", "r_9 = x_12", "}", "if lt.i64(r_9, n_1) {",
				"read y_13: i64 = a_3[0:i64]", "s_10 = y_13", "} else {", "read z_14: i64 = b_4[0:i64]", "s_10 = z_14", "}",
			},
			[]string{
				"read x_12: i64 = a_3[0:i64]", "read z_14: i64 = b_4[0:i64]", "let y_13: i64 = x_12", "if none_11 {", "} else {", "r_9 = x_12", "}",
				"if lt.i64(r_9, n_1) {", "s_10 = y_13", "} else {", "s_10 = z_14", "}",
			},
		},
		{
			"what is read again, once",
			[]string{
				"read x_12: i64 = a_3[0:i64]", "if lt.i64(x_12, n_1) {", "read y_13: i64 = a_3[0:i64]", "s_10 = y_13", "}",
			},
			[]string{
				"read x_12: i64 = a_3[0:i64]", "let y_13: i64 = x_12", "if lt.i64(x_12, n_1) {", "s_10 = y_13", "}",
			},
		},
		{
			"down past a kernel, with what is computed",
			[]string{
				"read x_12: i64 = a_3[0:i64]", "r_9 = add.i64(x_12, 1:i64)", "launch put<1:i64>(n_1) blocks(a_3, b_4) fits()", "free a_3",
				"read y_13: i64 = b_4[0:i64]", "s_10 = y_13",
			},
			[]string{
				"launch put<1:i64>(n_1) blocks(a_3, b_4) fits()", "read x_12: i64 = a_3[0:i64]", "read y_13: i64 = b_4[0:i64]",
				"r_9 = add.i64(x_12, 1:i64)", "free a_3", "s_10 = y_13",
			},
		},
		{
			"more of them than there are statements, out of a branch at the end",
			[]string{
				"read x_12: i64 = a_3[0:i64]", "if lt.i64(x_12, n_1) {",
				"read y_13: i64 = a_3[0:i64]", "read z_14: i64 = b_4[0:i64]", "s_10 = add.i64(y_13, z_14)", "}",
			},
			[]string{
				"read x_12: i64 = a_3[0:i64]", "read z_14: i64 = b_4[0:i64]", "let y_13: i64 = x_12",
				"if lt.i64(x_12, n_1) {", "s_10 = add.i64(y_13, z_14)", "}",
			},
		},
		{
			"down out of a branch",
			[]string{
				"if none_11 {", "r_9 = 0:i64", "} else {", "read x_12: i64 = a_3[0:i64]", "r_9 = x_12", "}",
				"launch put<1:i64>(n_1) blocks(c_5, b_4) fits()", "free a_3", "read y_13: i64 = b_4[0:i64]", "s_10 = y_13",
			},
			[]string{
				"launch put<1:i64>(n_1) blocks(c_5, b_4) fits()", "read x_12: i64 = a_3[0:i64]", "read y_13: i64 = b_4[0:i64]",
				"if none_11 {", "r_9 = 0:i64", "} else {", "r_9 = x_12", "}", "free a_3", "s_10 = y_13",
			},
		},
		{
			"out of loops that do not change what is read",
			[]string{
				"for i_15: i64 < n_1 {", "for j_16: i64 < n_1 {", "read x_12: i64 = a_3[0:i64]", "r_9 = add.i64(r_9, x_12)", "}", "}",
			},
			[]string{
				"read x_12: i64 = a_3[0:i64]", "for i_15: i64 < n_1 {", "for j_16: i64 < n_1 {", "r_9 = add.i64(r_9, x_12)", "}", "}",
			},
		},
		{"not out of a loop that changes it, or reads another element each time, or may not", []string{
			"for i_15: i64 < n_1 {", "read x_12: i64 = a_3[0:i64]", "launch put<1:i64>(x_12) blocks(b_4, a_3) fits()", "}",
			"for j_16: i64 < n_1 {", "read y_13: i64 = c_5[j_16]", "r_9 = y_13", "}",
			"for k_17: i64 < n_1 {", "if none_11 {", "read z_14: i64 = b_4[0:i64]", "s_10 = z_14", "}", "}",
		}, nil},
		{"not out of one branch alone", []string{"if none_11 {", "read x_12: i64 = a_3[0:i64]", "r_9 = x_12", "}"}, nil},
		{"nor out of branches of which none may be taken", []string{
			"if none_11 {", "read x_12: i64 = a_3[0:i64]", "r_9 = x_12", "} else {", "read y_13: i64 = b_4[0:i64]", "s_10 = y_13", "}",
		}, nil},
		{"nor what may not be there", []string{
			"read x_12: i64 = a_3[0:i64]", "assert lt.i64(x_12, n_1) site 0 ()", "read y_13: i64 = c_5[0:i64]", "s_10 = y_13",
		}, nil},
		{"nor up past what writes it", []string{
			"read x_12: i64 = a_3[0:i64]", "launch put<1:i64>(x_12) blocks(a_3, b_4) fits()", "read y_13: i64 = b_4[0:i64]", "s_10 = y_13",
		}, nil},
		{"nor past what writes it by another name", []string{
			"let p_14: block = b_4", "read x_12: i64 = a_3[0:i64]", "write i64 p_14[0:i64] = x_12", "read y_13: i64 = b_4[0:i64]", "s_10 = y_13",
		}, nil},
		{"nor down past what writes it", []string{
			"read x_12: i64 = a_3[0:i64]", "launch put<1:i64>(n_1) blocks(b_4, a_3) fits()", "launch put<1:i64>(n_1) blocks(a_3, b_4) fits()",
			"read y_13: i64 = b_4[0:i64]", "s_10 = add.i64(x_12, y_13)",
		}, nil},
		{"nor past a check", []string{
			"read x_12: i64 = a_3[0:i64]", "launch put<1:i64>(n_1) blocks(a_3, b_4) fits()", "assert none_11 site 0 ()",
			"read y_13: i64 = b_4[0:i64]", "s_10 = add.i64(x_12, y_13)",
		}, nil},
		{"nor to a reading that needs it", []string{
			"read x_12: i64 = a_3[0:i64]", "launch put<1:i64>(n_1) blocks(a_3, c_5) fits()", "read y_13: i64 = c_5[x_12]", "s_10 = y_13",
		}, nil},
		{"nor past a loop that changes what it needs", []string{
			"let i_14: i64 = 0:i64", "read x_12: i64 = c_5[i_14]", "for j_15: i64 < n_1 {", "i_14 = j_15",
			"launch put<1:i64>(n_1) blocks(a_3, b_4) fits()", "}", "read y_13: i64 = b_4[0:i64]", "s_10 = add.i64(x_12, y_13)",
		}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			program := func(body []string) *imp.Prog {
				p, err := imp.Parse(strings.ReplaceAll(togetherText, "BODY", strings.Join(body, "\n")))
				if err == nil {
					err = imp.Verify(p)
				}
				if err != nil {
					t.Fatal(err)
				}
				return p
			}
			want := c.want
			if want == nil {
				want = c.body
			}
			if d := cmp.Diff(imp.Print(program(want)), imp.Print(imp.Together(program(c.body)))); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}
