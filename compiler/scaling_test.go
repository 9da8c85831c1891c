package compiler_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"skald/compiler"
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
	{"products", func(n int) string { return product + "def arg (x: num) = x\n" + products(n) }},
	// Functions that take arrays go into their callers.
	{"copies", func(n int) string {
		return product + "def arg (x: num) = ([x.0, x.1, x.2, x.3], 0)\n" +
			strings.ReplaceAll(products(n/4), "mul (arg x) ", "mulArray (arg x).0 ")
	}},
	{"nest", func(n int) string {
		var b strings.Builder
		b.WriteString("entry main [k] (xs: [k]i32) = map (\\x0 ->\n")
		for i := range n / 10 {
			fmt.Fprintf(&b, "loop x%d = x%d for i%d < x0 do\n", i+1, i, i)
			for j := range 10 {
				fmt.Fprintf(&b, "  let x%d = x%d * i%d + %d\n", i+1, i+1, i, j)
			}
			b.WriteString("  in ")
		}
		return b.String() + fmt.Sprintf("x%d) xs\n", n/10)
	}},
}

// product multiplies integers of four digits of 32 bits; products does so n times in a map.
const product = `type num = (u64, u64, u64, u64)
def mulArray (x: [4]u64) (y: num) : num =
  let y = [y.0, y.1, y.2, y.3]
  let z = loop z = replicate 4 0u64 for i < 4 do
    (loop (z, carry) = (z, 0) for j < 4 - i do
       let t = z[i + j] + x[i] * y[j] + carry
       in (z with [i + j] = t & 0xffffffff, t >> 32)).0
  in (z[0], z[1], z[2], z[3])
def mul (x: num) (y: num) : num =
  let digit (a: u64) (b: u64) (c: u64) = let t = a * b + c in (t & 0xffffffff, t >> 32)
  let row (a: u64) (b0, b1, b2, b3) (c: u64) =
    let (z0, c) = digit a b0 c
    let (z1, c) = digit a b1 c
    let (z2, c) = digit a b2 c
    let (z3, c) = digit a b3 c
    in (z0, z1, z2, z3, c)
  let add (a0, a1, a2, a3) (b0, b1, b2, b3) =
    let t0 = a0 + b0
    let t1 = a1 + b1 + (t0 >> 32)
    let t2 = a2 + b2 + (t1 >> 32)
    let t3 = a3 + b3 + (t2 >> 32)
    in (t0 & 0xffffffff, t1 & 0xffffffff, t2 & 0xffffffff, t3 & 0xffffffff)
  let (p0, p1, p2, p3, _) = row x.0 y 0
  let (q0, q1, q2, q3, _) = row x.1 y p3
  let (r0, r1, r2, r3, _) = row x.2 y q3
  let (s0, s1, s2, s3, _) = row x.3 y r3
  in add (add (p0, p1, p2, p3) (q0, q1, q2, q3)) (add (r0, r1, r2, r3) (s0, s1, s2, s3))
`

func products(n int) string {
	var b strings.Builder
	b.WriteString("entry main [k] (xs: [k]num) = map (\\x ->\n  let y0 = x\n")
	for i := range n {
		fmt.Fprintf(&b, "  let y%d = mul (arg x) y%d\n", i+1, i)
	}
	return b.String() + fmt.Sprintf("  in y%d) xs\n", n)
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
	opts := compiler.CompileOptions{DumpDir: t.TempDir(), Timed: func(pass string, took time.Duration) { total[pass] += took }}
	if _, d := compiler.Core(prog, "", opts); d != nil {
		t.Fatal(d.Message)
	}
}
