package skald_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"skald"
	"skald/frontend/types"
)

// scaled are programs of a shape that is n times repeated.
var scaled = []struct {
	name string
	text func(n int) string
}{
	{"definitions", func(n int) string {
		var b strings.Builder
		last := "xs"
		for i := range n {
			fmt.Fprintf(&b, "def f%d [n] (xs: [n]i32) : [n]i32 = map (\\x -> x * %d + i32.i64 n) (scan (+) %d xs)\n", i, i, i)
		}
		b.WriteString("entry main [n] (xs: [n]i32) =\n")
		for i := range n {
			fmt.Fprintf(&b, "  let y%d = f%d %s\n", i, i, last)
			last = fmt.Sprintf("y%d", i)
		}
		return b.String() + "  in " + last + "\n"
	}},
	{"lets", func(n int) string {
		var b strings.Builder
		b.WriteString("entry main (x0: i32) =\n")
		for i := range n {
			fmt.Fprintf(&b, "  let x%d = x%d * %d + x%d\n", i+1, i, i, max(0, i-3))
		}
		return b.String() + fmt.Sprintf("  in x%d\n", n)
	}},
	{"branches", func(n int) string {
		var b strings.Builder
		b.WriteString("entry main (x: i32) =\n")
		for i := range n / 2 {
			fmt.Fprintf(&b, "if x > %d then %d else (let y%d = x * %d in y%d + ", i, i, i, i, i)
		}
		return b.String() + "0" + strings.Repeat(")", n/2) + "\n"
	}},
	{"instances", func(n int) string {
		var b strings.Builder
		b.WriteString("def swap 'a 'b (x: a, y: b) = (y, x)\ndef dup 'a (x: a) = (x, x)\nentry main (x: i32) =\n")
		for i := range n {
			fmt.Fprintf(&b, "  let p%d = dup {f%d = swap (x + %d, %di64)}\n", i, i, i, i)
		}
		b.WriteString("  in 0")
		for i := range n {
			fmt.Fprintf(&b, " + p%d.0.f%d.1", i, i)
		}
		return b.String() + "\n"
	}},
	{"closures", func(n int) string {
		var b strings.Builder
		b.WriteString("entry main (x: i32) =\n  let f0 = \\y -> y + x\n")
		for i := range n / 4 {
			fmt.Fprintf(&b, "  let f%d = \\y -> f%d (y * %d) + x\n", i+1, i, i)
		}
		return b.String() + fmt.Sprintf("  in f%d x\n", n/4)
	}},
	{"literal", func(n int) string {
		var b strings.Builder
		b.WriteString("entry main (i: i64) (x: i32) = [x")
		for i := range 100 * n {
			fmt.Fprintf(&b, ", %d", i)
		}
		return b.String() + "][i]\n"
	}},
	{"constructors", func(n int) string {
		var b strings.Builder
		b.WriteString("type t = #c i32")
		for i := range n / 2 {
			fmt.Fprintf(&b, " | #c%d i32 i64", i)
		}
		b.WriteString("\ndef f (x: t) : i32 = match x case #c a -> a\n")
		for i := range n / 2 {
			fmt.Fprintf(&b, "  case #c%d a b -> a * %d + i32.i64 b\n", i, i)
		}
		return b.String() + "entry main (k: i32) (b: bool) = f (if b then #c1 k 7 else #c k)\n"
	}},
}

// BenchmarkPasses compiles programs of two sizes; what each pass takes is a metric. A pass that is linear takes four times as long for
// the larger one.
func BenchmarkPasses(b *testing.B) {
	for _, s := range scaled {
		for _, n := range []int{100, 400} {
			b.Run(fmt.Sprintf("%s/%d", s.name, n), func(b *testing.B) {
				prog := checkText(b, s.text(n))
				total := map[string]time.Duration{}
				for b.Loop() {
					passTimes(b, prog, total)
				}
				for name, took := range total {
					b.ReportMetric(took.Seconds()*1000/float64(b.N), name+"-ms")
				}
			})
		}
	}
}

// passTimes compiles a program and adds up what each pass takes.
func passTimes(t testing.TB, prog *types.Prog, total map[string]time.Duration) {
	t.Helper()
	opts := skald.CompileOptions{DumpDir: t.TempDir(), Timed: func(pass string, took time.Duration) { total[pass] += took }}
	if _, d := skald.Core(prog, "", opts); d != nil {
		t.Fatal(d.Message)
	}
}
