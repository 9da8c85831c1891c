package skald_test

import (
	"context"
	"strings"
	"testing"

	"skald"
	"skald/frontend/check"
	"skald/frontend/diag"
	"skald/frontend/interp"
	"skald/frontend/types"
	"skald/middle/core/eval"
	"skald/runtime/value"
)

// stageCases are programs with results worked out by hand; each is run at every stage of the compiler.
var stageCases = []struct {
	name, source, input, want string
}{
	{"arithmetic", `def main (x: i32) (y: i32) : i32 = (x + y) * 2 - x / y + x % y`, "-7 2", "-5i32"},
	{"tuples", `def swap 'a 'b (x: a, y: b) : (b, a) = (y, x)
def main (x: i32) (y: f32) : (f32, i32) = swap (x, y)`, "1 2.5f32", "2.5f32 1i32"},
	{"records", `def main (x: i32) : i32 = let r = {a = x, b = {c = x + 1}} let r = r with b.c = 10 in r.a * r.b.c`, "4", "40i32"},
	{"map and reduce", `def main (xs: []i32) : i32 = reduce (+) 0 (map (\x -> x * x) xs)`, "[1, 2, 3]", "14i32"},
	{"no elements", `def main (xs: []i32) : i32 = reduce (+) 0 (map (\x -> x * x) xs)`, "empty([0]i32)", "0i32"},
	{"scan", `def main [n] (xs: [n]i32) : [n]i32 = scan (+) 0 xs`, "[1, 2, 3, 4]", "[1i32, 3i32, 6i32, 10i32]"},
	{"closures", `def twice 'a (f: a -> a) (x: a) : a = f (f x)
def add (n: i32) : i32 -> i32 = \x -> x + n
def main (n: i32) : i32 = twice (twice (add n)) 0`, "3", "12i32"},
	{"a closure that captures an array", `def pick [n] (xs: [n]i32) : i64 -> i32 = \i -> xs[i]
def main (xs: []i32) (is: []i64) : []i32 = let f = pick xs in map f is`, "[5, 6, 7] [2i64, 0i64]", "[7i32, 5i32]"},
	{"a record of functions", `def ops (n: i32) = {add = (+ n), mul = (* n)}
def main (n: i32) : i32 = let o = ops n in o.mul (o.add 1)`, "5", "30i32"},
	{"a local polymorphic function", `def main (x: i32) (y: bool) : (i32, bool) =
  let const 'a 'b (a: a) (_: b) : a = a in (const x y, const y x)`, "8 true", "8i32 true"},
	{"operator sections", `def main (x: i32) : (i32, i32) = ((2 -) x, (\y -> y - 2) x)`, "7", "-5i32 5i32"},
	{"a filter by scan and scatter", `def main [n] (xs: [n]i32) : []i32 =
  let keep = map (> 2) xs
  let ends = scan (+) 0 (map i64.bool keep)
  let m = if n == 0 then 0 else ends[n - 1]
  let is = map2 (\k e -> if k then e - 1 else -1) keep ends
  in scatter (replicate m 0) is xs`, "[1, 5, 2, 3]", "[5i32, 3i32]"},
	{"an existential size", `def evens (n: i64) : []i64 = map (* 2) (iota (n / 2))
def main (n: i64) : i64 = let xs = evens n let ys = evens (n + 2) in length xs * 100 + length ys + reduce (+) 0 xs`, "7i64", "310i64"},
	{
		"branches of different size", `def main (c: bool) (xs: []i32) : []i32 = if c then xs[1:] else map (+ 1) xs`,
		"true [1, 2, 3]", "[2i32, 3i32]",
	},
	{"a for loop", `def main (n: i32) : i32 = loop x = 1 for i < n do x * 2 + i`, "4", "27i32"},
	{"a for-in loop", `def main (xs: []i32) : i32 = loop a = 0 for x in xs do a * 10 + x`, "[4, 2, 7]", "427i32"},
	{
		"a while loop", `def main (n: i32) : (i32, i32) = loop (x, i) = (n, 0) while x > 1 do (if x % 2 == 0 then x / 2 else 3 * x + 1, i + 1)`,
		"6", "1i32 8i32",
	},
	{
		"a loop whose array grows", `def main (n: i64) : []i64 = loop xs = [1i64] for _i < n do xs ++ map (+ length xs) xs`,
		"2i64", "[1i64, 2i64, 3i64, 4i64]",
	},
	{
		"an update in place", `def main (n: i64) : [n]i64 = loop xs = replicate n 0 for i < n do xs with [i] = i * i`,
		"4i64", "[0i64, 1i64, 4i64, 9i64]",
	},
	{"an update of a slice", `def main (xs: *[4]i32) : [4]i32 = xs with [1:3] = [9, 8]`, "[1, 2, 3, 4]", "[1i32, 9i32, 8i32, 4i32]"},
	{
		"strided slices", `def main (xs: []i32) : ([]i32, []i32) = (xs[::2], xs[::-1])`, "[1, 2, 3, 4, 5]",
		"[1i32, 3i32, 5i32] [5i32, 4i32, 3i32, 2i32, 1i32]",
	},
	{
		"ranges", `def main (a: i32) (b: i32) : ([]i32, []i32, []i32) = (a..<b, b..>a, a..a+2...b)`, "1 5",
		"[1i32, 2i32, 3i32, 4i32] [5i32, 4i32, 3i32, 2i32] [1i32, 3i32, 5i32]",
	},
	{
		"a histogram", `def main [n] (is: [n]i64) : [3]i32 = reduce_by_index (replicate 3 0) (+) 0 is (replicate n 1)`,
		"[0i64, 2i64, 2i64, 5i64, -1i64]", "[1i32, 0i32, 2i32]",
	},
	{
		"nested maps", `def main [n][m] (xss: [n][m]i32) : [n]i32 = map (\xs -> reduce (+) 0 (map (+ 1) xs)) xss`,
		"[[1, 2], [3, 4]]", "[5i32, 9i32]",
	},
	{
		"transpose", `def main [n][m] (xss: [n][m]i32) : [m][n]i32 = transpose xss`, "[[1, 2, 3], [4, 5, 6]]",
		"[[1i32, 4i32], [2i32, 5i32], [3i32, 6i32]]",
	},
	{
		"matrix multiplication", `def dot [n] (xs: [n]f32) (ys: [n]f32) : f32 = reduce (+) 0 (map2 (*) xs ys)
def main [n][m][p] (a: [n][m]f32) (b: [m][p]f32) : [n][p]f32 = map (\row -> map (dot row) (transpose b)) a`,
		"[[1f32, 2f32], [3f32, 4f32]] [[5f32, 6f32], [7f32, 8f32]]", "[[19f32, 22f32], [43f32, 50f32]]",
	},
	{
		"zip and unzip", `def main [n] (xs: [n]i32) (ys: [n]f32) = unzip (map (\(x, y) -> (y, x)) (zip xs ys))`, "[1, 2] [0.5f32, 1.5f32]",
		"[0.5f32, 1.5f32] [1i32, 2i32]",
	},
	{
		"flatten and unflatten", `def main (xss: [2][3]i32) : [3][2]i32 = unflatten (flatten xss :> [3 * 2]i32)`, "[[1, 2, 3], [4, 5, 6]]",
		"[[1i32, 2i32], [3i32, 4i32], [5i32, 6i32]]",
	},
	{"sum types", `type t = #none | #one i32 | #two i32 f32
def f (x: t) : i32 = match x case #none -> 0 case #one a -> a case #two a b -> a * i32.f32 b
def main (x: i32) : i32 = f #none + f (#one x) + f (#two x 3)`, "5", "20i32"},
	{"constants", `def table = map (* 3) (iota 4)
def main (i: i64) : i64 = table[i] + length table`, "2i64", "10i64"},
	{"small integers wrap", `def main (x: u8) (y: i8) : (u8, i8) = (x + 1, y - 1)`, "255u8 -128i8", "0u8 127i8"},
	{"floats", `def main (x: f64) : (f64, f32, bool) = (f64.sqrt x, f32.f64 (x / 3), f64.isnan (0 / 0))`, "2.25f64", "1.5f64 0.75f32 true"},
}

func TestProgramsMeanTheSameAtEveryStage(t *testing.T) {
	for _, c := range stageCases {
		t.Run(c.name, func(t *testing.T) {
			prog := checkText(t, c.source)
			input := parseAll(t, c.input)
			want := parseAll(t, c.want)
			compare(t, "interpreter", interpret(t, prog, input), want)
			for _, s := range skald.Stages() {
				got := runStage(t, prog, s, input)
				compare(t, s.Name, got, want)
			}
		})
	}
}

// runStage runs a program as it is at a stage: a stage of the surface language by reading what it prints anew.
func runStage(t *testing.T, prog *types.Prog, s skald.Stage, input []value.Value) []value.Value {
	t.Helper()
	opts := skald.CompileOptions{Verify: true, DumpDir: t.TempDir()}
	switch s.Form {
	case skald.FormSource:
		if s.Name == "check" || s.Name == "normalise" {
			return nil // polymorphic programs do not print as source
		}
		text, d, err := skald.Dump(prog, s.Name, opts)
		if err != nil || d != nil {
			t.Fatalf("%s: %v %v", s.Name, err, d)
		}
		return interpret(t, checkText(t, text), input)
	case skald.FormCore:
		ir, d := skald.Core(prog, s.Name, opts)
		if d != nil {
			t.Fatalf("%s: %s", s.Name, d.Message)
		}
		got, err := eval.RunEntry(ir, "main", input, eval.Options{})
		if err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		return got
	default:
		t.Fatalf("stage %s has the unknown form %s", s.Name, s.Form)
		return nil
	}
}

func checkText(t *testing.T, text string) *types.Prog {
	t.Helper()
	prog, sink, ok := skald.Check("main.fut", skald.CheckOptions{Loader: check.Files{"main.fut": text}})
	if !ok {
		var b strings.Builder
		if err := diag.Text(&b, sink.Sorted()); err != nil {
			t.Fatal(err)
		}
		t.Fatalf("not accepted:\n%s\n%s", text, b.String())
	}
	return prog
}

func interpret(t *testing.T, prog *types.Prog, input []value.Value) []value.Value {
	t.Helper()
	got, err := skald.Interpret(prog, interp.Options{}).Call(context.Background(), "main", input)
	if err != nil {
		t.Fatalf("interpreter: %v", err)
	}
	return got
}

func parseAll(t *testing.T, text string) []value.Value {
	t.Helper()
	vs, err := value.ParseAll(text)
	if err != nil {
		t.Fatal(err)
	}
	return vs
}

func compare(t *testing.T, stage string, got, want []value.Value) {
	t.Helper()
	if got == nil {
		return
	}
	if len(got) != len(want) {
		t.Fatalf("after %s: %d results, want %d", stage, len(got), len(want))
	}
	for i := range got {
		if d := value.Compare(got[i], want[i], 0); d != nil {
			t.Errorf("after %s: result %d is %v, want %v", stage, i, got[i], want[i])
		}
	}
}
