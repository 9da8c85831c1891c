package compiler_test

import (
	"strings"
	"testing"
)

func TestAttributesAskForWarnings(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"index", "def main (xs: []f32) (i: i64) = #[warn(safety_checks)] xs[i]\n", "Safety check required at"},
		{"map", "def main (xs: []f32) (is: []i64) = #[warn(safety_checks)] map (\\i -> xs[i]) is\n", "Safety check required at"},
		{
			"call", "def f (xs: []f32) (i: i64) = xs[i]\ndef main (xs: []f32) (is: []i64) = #[warn(safety_checks)] map (f xs) is\n",
			"Safety check required at",
		},
		{"proven", "def main [n] (xs: [n]f32) = #[warn(safety_checks)] map (\\i -> xs[i]) (iota n)\n", ""},
		{"elsewhere", "def main (xs: []f32) (i: i64) (j: i64) = (#[warn(safety_checks)] i + 1, xs[j])\n", ""},
		{
			"loop", "def main (n: i64) (xs: *[]i64) = #[unroll] loop xs for i < n do xs with [i] = i\n",
			"#[unroll] on a loop with unknown number of iterations",
		},
		{
			"host loop", "def main (ns: []i64) = map (\\n -> i64.sum (flatten (loop xs = [[n]] for _i < n do transpose (xs ++ xs)))) ns\n",
			"This runs as a loop on the host, not in parallel: an array inside has a size that is only known when it is made at main.fut:1:24",
		},
		{
			"lost trace", "def f (x: i32) = #[trace] (x + 1)\ndef main (xs: []i32) = (map f xs, #[trace] f 3)\n",
			"This is traced in a kernel, from which nothing prints at main.fut:1:18-",
		},
		{
			"lost trace in an operator", "def main (xs: []i32) = reduce (\\x y -> #[trace] (x + y)) 0 xs\n",
			"This is traced in a kernel, from which nothing prints at main.fut:1:40-",
		},
		{"trace", "def f (x: i32) = #[trace] (x + 1)\ndef main (xs: []i32) = loop y = f xs[0] for _i < 3 do f y\n", ""},
		{
			"elements of a thread", "def main [n][m] (xss: [n][m]i32) = #[flattening(only_intra)] #[seq_factor(4)] map (scan (+) 0) xss\n", "",
		},
		{
			"elements of a thread of no workgroup", "def main [n] (xs: [n]i32) = #[seq_factor(4)] map (+ 1) xs\n",
			"No workgroup runs what #[seq_factor(4)] is on at main.fut:1:46-",
		},
		{
			"no elements of a thread",
			"def main [n][m] (xss: [n][m]i32) = #[flattening(only_intra)] #[seq_factor(0)] map (scan (+) 0) xss\n",
			"No workgroup runs what #[seq_factor(0)] is on at main.fut:1:79-",
		},
		{
			"large", "def main (x: i64) = #[unroll] loop x for i < 20000 do x * x + i\n",
			"#[unroll] on a loop whose iterations come to too much code",
		},
		{"known", "def main (x: i64) = #[unroll] loop x for i < 3 do x * x + i\n", ""},
	} {
		var got []string
		for _, d := range compile(t, c.text).Warnings() {
			if d.IsError() {
				t.Errorf("%s: %s is an error", c.name, d.Message)
			}
			got = append(got, d.Message)
		}
		if c.want == "" && len(got) > 0 || c.want != "" && (len(got) != 1 || !strings.HasPrefix(got[0], c.want)) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
