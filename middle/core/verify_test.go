package core

import (
	"strings"
	"testing"
)

// Each program breaks one invariant, and the verifier says which.
func TestVerifierRejects(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"a variable bound twice", `stage soacs
fun main (x_1: i32): (r_2: i32) = { let (x_1: i32) = use 1i32 in (x_1) }`, "bound twice"},
		{"a use before the binding", `stage soacs
fun main (x_1: i32): (r_2: i32) = { let (y_3: i32) = use z_4 let (z_4: i32) = use x_1 in (y_3) }`, "z_4 is not in scope"},
		{"a use outside of the branch that binds", `stage soacs
fun main (b_1: bool): (r_2: i32) = {
  let (y_3: i32) = if b_1 { let (z_4: i32) = use 1i32 in (z_4) } else { in (2i32) }
  in (z_4) }`, "z_4 is not in scope"},
		{"operands of another type", `stage soacs
fun main (x_1: i32): (r_2: i32) = { let (y_3: i32) = add.i32 x_1 1i64 in (y_3) }`, "type i64, not i32"},
		{"a result of another type", `stage soacs
fun main (x_1: i32): (r_2: i64) = { in (x_1) }`, "type i32, not i64"},
		{"arrays of unequal sizes in a map", `stage soacs
fun main (n_1: i64, m_2: i64, x_3: [n_1]i32, y_4: [m_2]i32): (r_5: [n_1]i32) = {
  let (z_6: [n_1]i32) = screma n_1 (x_3, y_4) map fn (a_7: i32, b_8: i32): (i32) { in (a_7) }
  in (z_6) }`, "outer size m_2"},
		{"a slice of too few dimensions", `stage soacs
fun main (n_1: i64, x_2: [n_1][n_1]i32): (r_3: i32) = { let (y_4: i32) = index x_2 [0i64] in (y_4) }`, "1 dimensions"},
		{"a SOAC among kernels", `stage kernels
fun main (n_1: i64, x_2: [n_1]i32): (r_3: [n_1]i32) = {
  let (z_4: [n_1]i32) = screma n_1 (x_2) map fn (a_5: i32): (i32) { in (a_5) }
  in (z_4) }`, "foreign"},
		{"a kernel in a kernel", `stage kernels
fun main (n_1: i64): (r_3: [n_1][n_1]i64) = {
  let (z_4: [n_1][n_1]i64) = segmap.grid (i_5 < n_1) ([n_1]i64) {
    let (y_6: [n_1]i64) = segmap.grid (j_7 < n_1) (i64) { in (j_7) }
    in (y_6) }
  in (z_4) }`, "foreign"},
		{"an array without a layout in memory", `stage memory
fun main (n_1: i64, x_2: [n_1]i32): (r_3: i32) = { in (0i32) }`, "without a layout"},
		{"a call with results of another type", `stage soacs
fun f (x_1: i32): (r_2: i32) = { in (x_1) }
fun main (x_1: i32): (r_2: i64) = { let (y_3: i64) = call f (x_1) in (y_3) }`, "should have type i32"},
		{"a dimension permuted twice", `stage soacs
fun main (n_1: i64, x_2: [n_1][n_1]i32): (r_3: [n_1][n_1]i32) = {
  let (y_4: [n_1][n_1]i32) = rearrange (0, 0) x_2
  in (y_4) }`, "no permutation"},
		{"a size that is no i64", `stage soacs
fun main (n_1: i32): (r_2: i32) = {
  let (y_3: [n_1]i32) = replicate [n_1] 0i32
  in (0i32) }`, "size n_1 has type i32"},
		{"an entry point of no function", "stage soacs\nentry \"main\" main \"\"", "no function main"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := Parse(tt.src)
			if err != nil {
				t.Fatal(err)
			}
			if err := Verify(p); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
		})
	}
}

func TestParserReportsTheLine(t *testing.T) {
	_, err := Parse("stage soacs\nfun main (x_1: i32): (r_2: i32) = {\n  let (y_3: i32) = frob x_1\n  in (y_3)\n}")
	if err == nil || !strings.Contains(err.Error(), "line 3") {
		t.Errorf("got %v", err)
	}
}
