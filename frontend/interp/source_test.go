package interp_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"skald/frontend/check"
	"skald/frontend/diag"
	"skald/frontend/interp"
	"skald/frontend/source"
	"skald/runtime/value"
)

// compile checks a program and prepares it.
func compile(t testing.TB, text string, opts interp.Options) *interp.Interpreter {
	t.Helper()
	var sink diag.Sink
	prog, ok := check.Check(check.Files{"t.fut": text}, "t.fut", &sink, check.Options{})
	if !ok {
		t.Fatalf("not accepted: %v", sink.All()[0])
	}
	return interp.New(prog, opts)
}

// evaluate calls main with arguments given as text, and prints its results one after the other.
func evaluate(t testing.TB, text string, args ...string) (string, error) {
	t.Helper()
	in := compile(t, text, interp.Options{})
	var vs []value.Value
	for _, a := range args {
		v, err := value.Parse(a)
		if err != nil {
			t.Fatal(err)
		}
		vs = append(vs, v)
	}
	out, err := in.Call(context.Background(), "main", vs)
	if err != nil {
		return "", err
	}
	texts := make([]string, len(out))
	for i, v := range out {
		texts[i] = v.String()
	}
	return strings.Join(texts, " "), nil
}

// example is a program, the arguments of main, and what must come of it, found by hand.
type example struct {
	name, text string
	args       []string
	want       string
}

func check1(t *testing.T, examples []example) {
	for _, e := range examples {
		t.Run(e.name, func(t *testing.T) {
			got, err := evaluate(t, e.text, e.args...)
			if err != nil {
				t.Fatal(err)
			}
			if got != e.want {
				t.Errorf("got %s, want %s", got, e.want)
			}
		})
	}
}

func TestExpressions(t *testing.T) {
	check1(t, []example{
		{
			"floor division", "def main (x: i32) (y: i32) = (x / y, x % y, x // y, x %% y)",
			[]string{"-7", "2"},
			"-4i32 1i32 -3i32 -1i32",
		},
		{"wrap around", "def main (x: u8) : u8 = x + 1", []string{"255u8"}, "0u8"},
		{"short circuit", "def main (x: i32) = x != 0 && 10 / x > 1", []string{"0"}, "false"},
		{
			"record update", "def main (x: i32) = let r = {a = x, b = 2} in let r = r with a = r.b in r.a + r.b",
			[]string{"9"},
			"4i32",
		},
		{
			"nested update", "def main (x: i32) = let r = {a = [1, 2]} in (r with a[1] = x).a",
			[]string{"9"},
			"[1i32, 9i32]",
		},
		{"match", "def f (x: #a i32 | #b) = match x case #a 1 -> 10i32 case #a y -> y case #b -> 0\n" +
			"def main (x: i32) = (f (#a x), f (#a 5), f #b)", []string{"1"}, "10i32 5i32 0i32"},
		{"negative stride", "def main (xs: []i32) = xs[::-2]", []string{"[1,2,3,4,5]"}, "[5i32, 3i32, 1i32]"},
		{
			"slice of rows", "def main (xs: [][]i32) = xs[:, 1:]",
			[]string{"[[1,2,3],[4,5,6]]"},
			"[[2i32, 3i32], [5i32, 6i32]]",
		},
		{"downward range", "def main (n: i32) = n..>0", []string{"3"}, "[3i32, 2i32, 1i32]"},
		{"range with step", "def main (n: u8) = 1u8..3u8...n", []string{"7u8"}, "[1u8, 3u8, 5u8, 7u8]"},
		{"while loop", "def main (n: i32) = loop x = n while x > 10 do x / 2", []string{"100"}, "6i32"},
		{
			"loop over array", "def main (xs: []i32) = loop acc = 0 for x in xs do acc * 10 + x",
			[]string{"[1,2,3]"},
			"123i32",
		},
		{
			"closures", "def main (x: i32) = let f y = \\z -> x + y * z in let g = f 10 in g 2 + g 3",
			[]string{"1"},
			"52i32",
		},
		{
			"local recursion",
			"def fac (n: i32): i32 = if n == 0 then 1 else n * fac (n - 1)\ndef main (n: i32) = fac n",
			[]string{"5"},
			"120i32",
		},
		{
			"equality of arrays", "def main (xs: []i32) (ys: []i32) = (xs == ys, xs != ys)",
			[]string{"[1,2]", "[1,2]"},
			"true false",
		},
		{"records at the border", "def main (r: {b: i32, a: bool}) = (r.b, r.a)", []string{"true", "7"}, "7i32 true"},
	})
}

func TestSizes(t *testing.T) {
	check1(t, []example{
		{"length of a filter", "def main (xs: []i32) = length (filter (> 1) xs)", []string{"[1,2,3]"}, "2i64"},
		{
			"size of an empty map", "def main (n: i64) (m: i64) = map (\\_ -> replicate m true) (iota n)",
			[]string{"0i64", "3i64"},
			"empty([0][3]bool)",
		},
		{"empty rows survive", "def main [n][m] (_: [n][m]i32) = (n, m)", []string{"empty([0][4]i32)"}, "0i64 4i64"},
		{
			"size expression", "def f (xs: []i32) = xs[1:]\ndef main (xs: []i32) = length (f (f xs))",
			[]string{"[1,2,3]"},
			"1i64",
		},
		{
			"size pattern", "def main (xs: []i32) = let [k] (ys: [k]i32) = filter (> 1) xs in iota k |> map i32.i64 |> map2 (+) ys",
			[]string{"[1,2,3]"},
			"[2i32, 4i32]",
		},
		{
			"loop changes a size", "def main (xs: []i32) = loop ys = xs for _i < 2i32 do filter (> 1) (map (\\y -> y - 1) ys)",
			[]string{"[1,4,5]"},
			"[2i32, 3i32]",
		},
		{"coercion", "def main (n: i64) (xs: []i32) = length (xs :> [n]i32)", []string{"2i64", "[1,2]"}, "2i64"},
		{"hidden size", "module m: { type~ t val mk: i64 -> t val len: t -> i64 } = { type~ t = []i32 " +
			"def mk n = replicate n 0i32 def len [n] (_: [n]i32) = n }\ndef main n = m.len (m.mk n)", []string{"3i64"}, "3i64"},
	})
}

func TestPrelude(t *testing.T) {
	check1(t, []example{
		{
			"scan", "def main (xs: []i32) = (scan (+) 0 xs, exscan (+) 0 xs)",
			[]string{"[1,2,3]"},
			"[1i32, 3i32, 6i32] [0i32, 1i32, 3i32]",
		},
		{
			"partition", "def main (xs: []i32) = partition (\\x -> x % 2 == 0) xs",
			[]string{"[1,2,3,4,5]"},
			"[2i32, 4i32] [1i32, 3i32, 5i32]",
		},
		{
			"partition2", "def main (xs: []i32) = partition2 (< 2) (> 3) xs",
			[]string{"[5,1,2,4,0]"},
			"[1i32, 0i32] [5i32, 4i32] [2i32]",
		},
		{
			"histogram", "def main (is: []i64) (xs: []i32) = hist (+) 0 3 is xs",
			[]string{"[0i64,2i64,0i64,7i64]", "[1,2,3,4]"},
			"[4i32, 0i32, 2i32]",
		},
		{
			"reduce_by_index_2d", "def main (x: i32) = reduce_by_index_2d (replicate 2 (replicate 2 1)) (+) 0 [(0, 1), (1, 0), (0, 1)] [x, x, x]",
			[]string{"5"},
			"[[1i32, 11i32], [6i32, 1i32]]",
		},
		{"scatter", "def main (xs: *[]i32) = scatter xs [0, 5, -1] [7, 8, 9]", []string{"[1,2]"}, "[7i32, 2i32]"},
		{
			"zip and unzip", "def main (xs: []i32) (ys: []bool) = unzip3 (zip3 xs ys xs)",
			[]string{"[1,2]", "[true,false]"},
			"[1i32, 2i32] [true, false] [1i32, 2i32]",
		},
		{
			"rotate", "def main (xs: []i32) = (rotate 1 xs, rotate (-1) xs)",
			[]string{"[1,2,3]"},
			"[2i32, 3i32, 1i32] [3i32, 1i32, 2i32]",
		},
		{
			"shape functions", "def main (xs: []i32) = let m = unflatten (xs :> [2*3]i32) in (transpose m, flatten (transpose m))",
			[]string{"[1,2,3,4,5,6]"},
			"[[1i32, 4i32], [2i32, 5i32], [3i32, 6i32]] [1i32, 4i32, 2i32, 5i32, 3i32, 6i32]",
		},
		{
			"flatmap", "def main (ns: []i64) = flatmap' (\\n -> filter (< n) (iota 3)) ns",
			[]string{"[2i64,0i64,1i64]"},
			"[2i64, 0i64, 1i64] [true, false, true] [0i64, 2i64, 2i64] [0i64, 1i64, 0i64]",
		},
		{
			"bits", "def main (x: u8) = (u8.popc x, u8.clz x, u8.ctz x, u8.get_bit 1 x, u8.set_bit 0 x 1)",
			[]string{"6u8"},
			"2i32 5i32 1i32 1i32 7u8",
		},
		{"shifts", "def main (x: i8) = (x >> 1, x i8.>>> 1, x << 1)", []string{"-128i8"}, "-64i8 64i8 0i8"},
		{
			"widening to unsigned", "def main (x: i8) = (u16.i8 x, u8.i8 x, i16.i8 x)",
			[]string{"-1i8"},
			"255u16 255u8 -1i16",
		},
		{
			"extremes", "def main (x: i32) = (i32.highest, i32.lowest, i32.maximum [x, 3], f32.lowest)",
			[]string{"5"},
			"2147483647i32 -2147483648i32 5i32 -f32.inf",
		},
		{
			"rounding", "def main (x: f64) = (f64.round x, f64.trunc x, f64.ceil x, f64.floor x)",
			[]string{"-2.5"},
			"-2.0f64 -2.0f64 -2.0f64 -3.0f64",
		},
		{
			"copies are fresh", "def main (xs: []i32) = let ys = copy xs with [0] = 9 in (xs, ys)",
			[]string{"[1]"},
			"[1i32] [9i32]",
		},
		{
			"zips are fresh", "def main (xs: []i32) = let ys = zip xs xs in let ys[0] = (8, 9) in (xs, ys)",
			[]string{"[1]"},
			"[1i32] [8i32] [9i32]",
		},
	})
}

func TestDerivatives(t *testing.T) {
	check1(t, []example{
		{"forward", "def main (x: f64) = jvp (\\x -> x * x * x) x 1", []string{"2.0"}, "12.0f64"},
		{
			"reverse", "def main (x: f64) (y: f64) = vjp (\\(x, y) -> x * y + f64.sqrt x) (x, y) 1",
			[]string{"4.0", "3.0"},
			"3.25f64 4.0f64",
		},
		{
			"second derivative", "def main (x: f64) = jvp (\\x -> vjp (\\x -> x ** 3) x 1) x 1",
			[]string{"2.0"},
			"12.0f64",
		},
		{
			"perturbations are told apart", "def main (x: f64) = jvp (\\x -> x * jvp (\\y -> x + y) 1 1) x 1",
			[]string{"5.0"},
			"1.0f64",
		},
		{
			"through arrays", "def main (xs: []f64) = vjp f64.product xs 1",
			[]string{"[2.0,3.0,4.0]"},
			"[12.0f64, 8.0f64, 6.0f64]",
		},
		{
			"through updates", "def main (x: f64) = jvp (\\x -> let a = replicate 2 x in let a[0] = x * x in a) x 1",
			[]string{"3.0"},
			"[6.0f64, 1.0f64]",
		},
		{
			"through loops", "def main (x: f64) = vjp (\\x -> loop y = 1 for _i < 3i32 do y * x) x 1",
			[]string{"2.0"},
			"12.0f64",
		},
		{
			"several directions", "def main (x: f64) (y: f64) = jmp (\\(x, y) -> x * y) (x, y) [(1, 0), (0, 1)]",
			[]string{"2.0", "7.0"},
			"[7.0f64, 2.0f64]",
		},
		{
			"several sensitivities", "def main (x: f64) = mjp (\\x -> (x * x, x)) x [(1, 0), (0, 1)]",
			[]string{"5.0"},
			"[10.0f64, 1.0f64]",
		},
		{
			"own derivative",
			"def main (x: f64) = vjp (\\x -> 2 * with_vjp (\\x -> x * x) (\\y dy -> y + 100 * dy) x) x 1",
			[]string{"3.0"},
			"209.0f64",
		},
		{"constants have none", "def main (x: f64) = vjp (\\_ -> 7f64) x 1", []string{"3.0"}, "0.0f64"},
	})
}

// Errors must name what went wrong, and where: the place of the innermost call first.
func TestRunTimeErrors(t *testing.T) {
	for _, e := range []example{
		{
			"index", "def main (xs: []i32) (i: i64) = xs[i]",
			[]string{"[1,2,3]", "4i64"},
			"t.fut:1:33-37: Index [4] out of bounds for array of shape [3].",
		},
		{
			"slice", "def main (xs: [][]i32) = xs[0:1, 1:0]",
			[]string{"[[1,2]]"},
			"Index [0:1, 1:0] out of bounds for array of shape [1][2].",
		},
		{"range", "def main (n: i64) = iota n", []string{"-2i64"}, "t.fut:1:21-26: Range 0..1..<-2 is invalid."},
		{"division", "def main (x: i32) = 1 / x", []string{"0"}, "Division by zero."},
		{"exponent", "def main (x: i32) = 2 ** x", []string{"-1"}, "Negative exponent."},
		{
			"coercion", "def main (xs: []i32) = xs :> [4]i32",
			[]string{"[1]"},
			`Value of shape [1]i32 cannot match shape of type "[4]i32".`,
		},
		{"assertion", "def main (x: i32) = assert (x > 1) x", []string{"1"}, "Assertion is false: (x > 1)."},
		{"hole", "def main (x: i32) : i32 = ???", []string{"1"}, "hole"},
		{
			"unflatten", "def main (n: i64) = unflatten (iota (n * n)) :> [n][n]i64",
			[]string{"-1i64"},
			"Cannot unflatten array of shape [1] to array of shape [-1][-1].",
		},
		{
			"update", "def main (xs: *[]i32) (ys: []i32) = xs with [0:2] = ys",
			[]string{"[1,2]", "[1]"},
			"t.fut:1:37-54: Update",
		},
		{"entry size", "def main [n] (xs: [n]i32) (ys: [n]i32) = (xs, ys)", []string{"[1,2]", "[1]"}, "invalid sizes: argument 2"},
		{"argument type", "def main (x: i32) = x", []string{"1i64"}, "i32 is expected"},
		{"memory", "def main (n: i64) = replicate n (replicate n 0u8)", []string{"1099511627776i64"}, "Out of memory"},
		{"recursion", "def f (x: i32) : i32 = 1 + f x\ndef main (x: i32) = f x", []string{"1"}, "Stack overflow"},
	} {
		t.Run(e.name, func(t *testing.T) {
			got, err := evaluate(t, e.text, e.args...)
			if err == nil {
				t.Fatalf("got %s, want an error", got)
			}
			if !strings.Contains(err.Error(), e.want) {
				t.Errorf("got %v, want %s", err, e.want)
			}
		})
	}
}

// The calls alone would be few enough: it is the expressions around them that fill the stack.
func TestDeepExpressionsDoNotOverflowTheStackOfGo(t *testing.T) {
	deep := "f (x + 1)"
	for range 300 {
		deep = "(1 + " + deep + ")"
	}
	_, err := evaluate(t, "def f (x: i32) : i32 = if x < 0 then 0 else "+deep+"\ndef main (x: i32) = f x", "1")
	if err == nil || !strings.Contains(err.Error(), "Stack overflow") {
		t.Errorf("got %v", err)
	}
}

func TestTraceListsCallsInnermostFirst(t *testing.T) {
	_, err := evaluate(t, "def f (x: i32) = 1 / x\ndef g x = f x\ndef main (x: i32) = g x", "0")
	var e *interp.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v", err)
	}
	var lines []int
	for _, at := range e.Trace {
		lines = append(lines, at.From().Line)
	}
	if len(lines) != 3 || lines[0] != 1 || lines[1] != 2 || lines[2] != 3 {
		t.Errorf("the trace has lines %v, want 1, 2, 3", lines)
	}
}

func TestTraceAttributeReportsValues(t *testing.T) {
	var got []string
	in := compile(t, "def main (x: i32) = map (\\y -> #[trace(tag)] (y, {a = y > 1})) [x, 2]", interp.Options{
		Trace: func(_ source.Span, tag, text string) { got = append(got, tag+" "+text) },
	})
	if _, err := in.Call(context.Background(), "main", []value.Value{parse(t, "1")}); err != nil {
		t.Fatal(err)
	}
	if want := "tag (1i32, {a = false}); tag (2i32, {a = true})"; strings.Join(got, "; ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

func TestBreakShowsVariables(t *testing.T) {
	var got []string
	in := compile(t, "def f (x: i32) = let y = [x, 1] in #[break] y[0]\ndef main x = f x", interp.Options{
		Break: func(stop *interp.Stop) {
			got = append(got, stop.At.String())
			for _, v := range stop.Vars {
				got = append(got, v.Sym.Name+" = "+v.Text)
			}
		},
	})
	if _, err := in.Call(context.Background(), "main", []value.Value{parse(t, "7")}); err != nil {
		t.Fatal(err)
	}
	if want := "y = [7i32, 1i32]; x = 7i32"; len(got) != 3 || strings.Join(got[1:], "; ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

func TestContextStopsAnEndlessLoop(t *testing.T) {
	in := compile(t, "def main (x: i32) = loop x while true do x + 1", interp.Options{})
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	_, err := in.Call(ctx, "main", []value.Value{parse(t, "1")})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

func TestErrorsLeaveTheInterpreterUsable(t *testing.T) {
	in := compile(t, "def main (x: i32) = jvp (\\y -> 10 / y) x 1", interp.Options{})
	if _, err := in.Call(context.Background(), "main", []value.Value{parse(t, "0")}); err == nil {
		t.Fatal("division by zero had a result")
	}
	out, err := in.Call(context.Background(), "main", []value.Value{parse(t, "2")})
	if err != nil || len(out) != 1 {
		t.Errorf("got %v, %v", out, err)
	}
}

func TestConstantsAreEvaluatedAtTheStart(t *testing.T) {
	in := compile(t, "def c = 1i32 / 0\ndef main (x: i32) = x + c", interp.Options{})
	if err := in.Init(context.Background()); err == nil || !strings.Contains(err.Error(), "zero") {
		t.Errorf("got %v", err)
	}
}

func TestStackUseDoesNotDependOnLoopLength(t *testing.T) {
	got, err := evaluate(t, "def main (n: i32) = loop x = 0i64 for i < n do x + i64.i32 i", "1000000")
	if err != nil || got != "499999500000i64" {
		t.Errorf("got %s, %v", got, err)
	}
}

func parse(t testing.TB, text string) value.Value {
	t.Helper()
	v, err := value.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// BenchmarkPrograms measures what programs consist of, a unit of work each.
func BenchmarkPrograms(b *testing.B) {
	for _, e := range []struct{ name, text string }{
		{"pair in a loop", "def main (n: i64) = loop (a, b) = (0i64, 1i64) for _i < n do (b, a + b)"},
		{"map", "def main (n: i64) = map (+ 1) (iota n)"},
		{"map2", "def main (n: i64) = map2 (+) (iota n) (iota n)"},
		{"reduce", "def main (n: i64) = reduce (+) 0 (iota n)"},
		{"i64.sum", "def main (n: i64) = i64.sum (iota n)"},
		{"scan", "def main (n: i64) = scan (+) 0 (iota n)"},
		{"filter", "def main (n: i64) = filter (\\x -> x % 2 == 0) (iota n)"},
		{"nested map", "def main (n: i64) = map (\\x -> reduce (+) x (iota 8)) (iota (n / 8))"},
		{"call", "def f (x: i64) (y: i64) = x + y\ndef main (n: i64) = loop x = 0 for i < n do f x i"},
		{"update", "def main (n: i64) = loop xs = replicate 8 0 for i < n do xs with [i % 8] = i"},
	} {
		b.Run(e.name, func(b *testing.B) {
			in := compile(b, e.text, interp.Options{})
			n := parse(b, fmt.Sprintf("%di64", b.N))
			b.ResetTimer()
			if _, err := in.Call(context.Background(), "main", []value.Value{n}); err != nil {
				b.Fatal(err)
			}
		})
	}
}
