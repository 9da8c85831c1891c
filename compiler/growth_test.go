package compiler_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"skald/compiler"
)

// elseIfs is a chain of branches that update an array of each point.
func elseIfs(n int) string {
	var b strings.Builder
	b.WriteString("entry main [k] (xs: [k]i32) = map (\\x -> let a: *[4]i32 = [x, x, x, x] in ")
	for i := range n {
		fmt.Fprintf(&b, "if x == %d then a with [%d] = %d else ", i, i%4, i)
	}
	return b.String() + "a) xs\n"
}

// growing are programs of a shape that is n times repeated, or n deep. most is how many times the work there may be for 2n: 2
// is linear, 4 quadratic. Nested maps are quadratic: arrays of n dimensions have types of n sizes, in kernels of n levels. So are nested
// scans, whose kernels have 3.4 times as much text for twice as many.
var growing = []struct {
	name string
	n    int
	most float64
	text func(n int) string
}{
	{"nested ifs", 28, 3, func(n int) string {
		var b strings.Builder
		b.WriteString("entry main [k] (xs: [k]i32) = map (\\x -> let a: *[4]i32 = [x, x, x, x] in ")
		for i := range n {
			fmt.Fprintf(&b, "if x > %d then let a[%d] = x * %d in ", i, i%4, i)
		}
		b.WriteString("a" + strings.Repeat(" else [x, 1, 2, 3]", n))
		return b.String() + ") xs\n"
	}},
	{"else-if chain", 24, 3, elseIfs},
	// Long chains show what is quadratic with a small constant; those of the host and of kernels go different ways.
	{"long else-if chain of the host", 1000, 2.6, func(n int) string {
		var b strings.Builder
		b.WriteString("entry main (x: i32) : i32 = ")
		for i := range n {
			fmt.Fprintf(&b, "if x == %d then %d else ", i, i*3%1001)
		}
		return b.String() + "x\n"
	}},
	{"long else-if chain", 1000, 2.6, elseIfs},
	{"nested maps", 9, 4, func(n int) string { return nest(n, "(map (\\x# -> $) (iota (m + #)))") }},
	{"nested sums", 9, 3.2, func(n int) string { return nest(n, "i64.sum (map (\\x# -> $) (iota (m + #)))") }},
	{"nested scans", 9, 3.1, func(n int) string { return nest(n, "last (scan (+) 0 (map (\\x# -> $) (iota (m + #))))") }},
	{"nested maps beside scans", 9, 2.6, func(n int) string {
		return nest(n, "(let ys# = scan (+) # (iota m) in i64.sum (map (\\x# -> $) ys#))")
	}},
	{"nested loops", 28, 3, func(n int) string {
		const line = "loop a for i# < m do "
		return chain(n, "entry main [k] (xs: [k]i32) (m: i64) = map (\\x -> let a: *[4]i32 = [x, x, x, x] in ", line, "a with [i0 % 4] = x) xs\n")
	}},
	{"nested while loops", 28, 3, func(n int) string {
		var b strings.Builder
		b.WriteString("entry main [k] (xs: [k]i32) = map (\\x -> let a = x in ")
		for range n {
			b.WriteString("loop a while a < 1000 do ")
		}
		return b.String() + "a * 2 + 1) xs\n"
	}},
	{"branches that make strings", 8, 3, func(n int) string {
		var b strings.Builder
		b.WriteString("entry main (x: i64) : []u8 =\n")
		for i := range n {
			fmt.Fprintf(&b, "  if x < %d then \"%s\" ++ (if x %% %d == 0 then \"a\" else \"bc\") else\n", i, strings.Repeat("d", i), i+2)
		}
		return b.String() + "  \"\"\n"
	}},
	{"chain of updates", 100, 3, func(n int) string {
		var b strings.Builder
		b.WriteString("entry main [k] (xs: *[k]i32) =\n")
		for i := range n {
			fmt.Fprintf(&b, "  let xs[%d] = xs[%d] + %d\n", i, (i*7)%n, i)
		}
		return b.String() + "  in xs\n"
	}},
	{"chain of maps", 50, 3, func(n int) string {
		return chain(n, "entry main [k] (xs0: [k]i32) =\n", "  let xs$ = scan (+) # (map (* #) xs#)\n", "  in xs#\n")
	}},
	{"chain of maps in a map", 25, 3, func(n int) string {
		const line = "  let xs$ = scan (+) # (map (* #) xs#)\n"
		return chain(n, "entry main [k][m] (xss: [k][m]i32) = map (\\xs0 ->\n", line, "  in xs#) xss\n")
	}},
	{"scans of scans", 60, 2.6, func(n int) string {
		var b, last strings.Builder
		b.WriteString("entry main [k] (xs: [k]i32) =\n")
		for i := range n {
			fmt.Fprintf(&b, "  let a%d = scan (+) %d xs\n", i, i)
			fmt.Fprintf(&last, "  let b%d = scan (*) %d a%d\n", i, i, n-1-i)
		}
		b.WriteString(last.String() + "  in 0")
		for i := range n {
			fmt.Fprintf(&b, " + b%d[%d]", i, i)
		}
		return b.String() + "\n"
	}},
	{"filters", 40, 2.6, func(n int) string {
		return chain(n, "entry main [k] (xs0: [k]i32) =\n", "  let xs$ = filter (> #) xs#\n", "  in xs#\n")
	}},
	{"scatters", 160, 2.6, func(n int) string {
		const line = "  let xs = scatter xs is (map (+ #) vs)\n"
		return chain(n, "entry main [k] (xs: *[k]i32) (is: [k]i64) (vs: [k]i32) =\n", line, "  in xs\n")
	}},
	{"sums of one array", 160, 2.6, func(n int) string {
		return chain(n, "entry main [k] (xs: [k]i32) = (0", ", i32.sum (map (* #) xs)", ")\n")
	}},
	{"gradient of a chain of maps", 60, 2.6, func(n int) string {
		const line = "  let xs$ = scan (+) # (map (\\x -> x * # * x) xs#)\n"
		return chain(n, "def f [k] (xs0: [k]f64) =\n", line, "  in f64.sum xs#\nentry main [k] (xs: [k]f64) = vjp f xs 1\n")
	}},
	{"loops that copy", 150, 2.2, func(n int) string {
		const line = "  let xs = loop xs for i < 10 do let ys = copy xs let ys[i] = # in xs with [i] = ys[1] + #\n"
		return chain(n, "entry main [k] (xs: *[k]i32) =\n", line, "  in xs\n")
	}},
	{"wide tuples", 50, 3, func(n int) string {
		list := func(f string) string {
			s := make([]string, n)
			for i := range s {
				s[i] = strings.ReplaceAll(f, "#", fmt.Sprint(i))
			}
			return "(" + strings.Join(s, ", ") + ")"
		}
		return "entry main [k] (xs: [k]i32) = map (\\x -> loop " + list("a#") + " = " + list("x + #") + " for i < 10 do if x > 3 then " +
			list("a# * x") + " else " + list("a# - x") + ") xs\n"
	}},
	{"gathers by one index", 100, 2.6, func(n int) string {
		return chain(n, "entry main [k] (xs0: [k]i32) (is: [k]i64) =\n", "  let xs$ = map (\\i -> xs#[i] + #) is\n", "  in xs#\n")
	}},
	// Sizes of results are sums of 2^n terms: Note [Long sizes] in frontend/check/sizes.
	{"arrays joined with themselves", 20, 3, func(n int) string {
		return "entry main (m: i64) = let xs = iota m\n" + strings.Repeat("  let xs = xs ++ xs\n", n) + "  in xs\n"
	}},
	{"functions that join arrays with themselves", 20, 3, func(n int) string {
		return "def twice [n] 't (xs: [n]t) : [n + n]t = xs ++ xs\nentry main (m: i64) = iota m" + strings.Repeat(" |> twice", n) + "\n"
	}},
	{"sizes that are doubled", 20, 3, func(n int) string {
		return "entry main (m: i64) =\n" + strings.Repeat("  let m = m + m\n", n) + "  in iota m\n"
	}},
	{"branches that join arrays with themselves", 20, 3, func(n int) string {
		joins := strings.Repeat("  let xs = if b then xs ++ xs else xs ++ xs\n", n)
		return "entry main (m: i64) (b: bool) = let xs = iota m\n" + joins + "  in xs\n"
	}},
	{"array literal", 5000, 3, func(n int) string {
		return chain(n, "entry main (i: i64) (x: i32) = [x", ", #", "][i]\n")
	}},
	{"calls", 100, 3, func(n int) string {
		const line = "def f$ (x: i32) = let y = f# x in if y > # then y * x else y - x\n"
		return chain(n, "def f0 (x: i32) = x + 1\n", line, "entry main [k] (xs: [k]i32) = map f# xs\n")
	}},
	{"calls of short functions", 1000, 2.4, func(n int) string {
		return chain(n, "def f0 (x: i32) = x + 1\n", "def f$ (x: i32) = f# x + #\n", "entry main (x: i32) = f# x\n")
	}},
	{"entry points", 50, 3, func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "entry main%d [k] (xs: [k]i32) = reduce (+) %d (map (* %d) xs)\n", i, i, i)
		}
		return b.String()
	}},
}

// chain is a line written n times between a head and an end: # is which one it is, in the end n, and $ the next one.
func chain(n int, head, line, end string) string {
	var b strings.Builder
	b.WriteString(head)
	for i := range n {
		b.WriteString(strings.NewReplacer("#", fmt.Sprint(i), "$", fmt.Sprint(i+1)).Replace(line))
	}
	return b.String() + strings.ReplaceAll(end, "#", fmt.Sprint(n))
}

// nest puts a form into itself, n times, inside a map: # is how deep it is, $ what it holds.
func nest(n int, form string) string {
	text := "x0"
	for i := n; i > 0; i-- {
		text = strings.ReplaceAll(strings.ReplaceAll(form, "#", fmt.Sprint(i)), "$", text)
	}
	return "entry main (m: i64) = map (\\x0 -> " + text + ") (iota m)\n"
}

// TestCompilersWorkGrowsWithTheProgram compiles programs of a shape at two sizes, one twice the other, and compares the
// bytes that compilation allocates, in the middle of three times if they are too many: a measure of its work that does not depend on the
// machine.
func TestCompilersWorkGrowsWithTheProgram(t *testing.T) {
	const least = "entry main (x: i32) = x\n"
	allocated(t, least)
	fixed := min(allocated(t, least), allocated(t, least)) // what an earlier test has left running may be in one
	for _, s := range growing {
		t.Run(s.name, func(t *testing.T) {
			allocated(t, s.text(s.n/8+1)) // the prelude's declarations are read once
			var ones, twos []int64
			for range 3 { // What an earlier test has left running may be in it, and goroutines share more or less.
				ones, twos = append(ones, allocated(t, s.text(s.n))), append(twos, allocated(t, s.text(2*s.n)))
				if len(ones) == 1 && float64(twos[0]-fixed) <= s.most*float64(ones[0]-fixed) {
					return
				}
			}
			slices.Sort(ones)
			slices.Sort(twos)
			one, two := ones[1], twos[1]
			if ratio := float64(two-fixed) / float64(one-fixed); ratio > s.most {
				t.Errorf("%d take %d bytes, %d take %d: %.1f times as much, at most %.1f is expected", s.n, one, 2*s.n, two, ratio, s.most)
			}
		})
	}
}

// allocated is how many bytes it takes to compile a program, from its text to that of its kernels.
func allocated(t *testing.T, text string) int64 {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	prog := checkText(t, text)
	compiled, d := compiler.Compile(prog, compiler.CompileOptions{DumpDir: t.TempDir()})
	if d != nil {
		t.Fatal(d.Message)
	}
	if _, err := compiled.KernelText(compiler.DeviceProfile("portable")); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}
