package sizes_test

import (
	"fmt"
	"strings"
	"testing"

	"skald/frontend/check"
	"skald/frontend/diag"
	"skald/frontend/types"
)

// twice is a let that joins an array with itself, times times.
func twice(name string, times int) string {
	return strings.Repeat(fmt.Sprintf("let %s = %s ++ %s\n", name, name, name), times)
}

// Sizes that are too long for types to repeat are as good as those that are not: Note [Long sizes].
func TestLongSizesAreComparedByWhatTheyStandFor(t *testing.T) {
	tests := []struct {
		name, text string
		ok         bool
	}{
		{"two of one size", "def f [n] (xs: [n]i32) (ys: [n]i32) =\n" + twice("xs", 30) + twice("ys", 30) + "in zip xs ys", true},
		{"two of different sizes", "def f [n] (xs: [n]i32) (ys: [n]i32) =\n" + twice("xs", 29) + twice("ys", 30) + "in zip xs ys", false},
		{"two of different origin", "def f [n] [m] (xs: [n]i32) (ys: [m]i32) =\n" + twice("xs", 30) + twice("ys", 30) + "in zip xs ys", false},
		{"one in a function of the other's", "def g [n] (xs: [n]i32) =\n" + twice("xs", 12) + "in xs\n" +
			"def f [n] (xs: [n]i32) (ys: [n]i32) = let ys = g ys\n" + twice("xs", 12) + "in zip xs ys", true},
		{"rows of one size", "def f (n: i64) = map (\\i -> let xs = replicate n i\n" + twice("xs", 12) + "in xs) (iota n)", true},
		{"rows of different sizes", "def f (n: i64) = map (\\i -> let xs = iota i\n" + twice("xs", 12) + "in xs) (iota n)", false},
		{"branches", "def f [n] (b: bool) (xs: [n]i32) (ys: [n]i32) = let zs = if b then\n" + twice("xs", 12) + "in xs else\n" +
			twice("ys", 12) + "in ys\n" + twice("xs", 12) + "in zip xs zs", true},
		{"a size out of scope", "def f (b: bool) = let xs = let (n, _) = (if b then 1 else 2i64, b) let xs = iota n\n" + twice("xs", 12) +
			"in xs in if b then xs else xs", true},
		{"a case", "def f [n] (b: bool) (xs: [n]i32) = match b case true ->\n" + twice("xs", 20) + "in (xs, xs) case _ -> (xs, xs)", true},
		{"a loop", "def f [n] (xs: [n]i32) = let ys = loop ys = xs for _i < 3 do\n" + twice("ys", 20) + "in ys in ys", true},
		{"a declared result", "def f [n] (xs: [n]i32) : [n]i32 =\n" + twice("xs", 12) + "in xs", false},
		{"a coercion", "def f [n] (xs: [n]i32) (m: i64) : [m]i32 =\n" + twice("xs", 12) + "in xs :> [m]i32", true},
		{"an argument", "def g [n] (xs: [n]i32) (f: [n]i32 -> i32) = f xs\ndef f [n] (xs: [n]i32) =\n" + twice("xs", 12) +
			"in g xs (\\ys -> (zip xs ys)[0].0)", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var sink diag.Sink
			prog, ok := check.Check(check.Files{"a.fut": tt.text}, "a.fut", &sink, check.Options{})
			if ok != tt.ok {
				t.Fatalf("accepted: %t; %v", ok, sink.All())
			}
			if !ok {
				return
			}
			if err := types.Verify(prog); err != nil {
				t.Fatal(err)
			}
		})
	}
}
