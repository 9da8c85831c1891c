package check_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"skald/frontend/check"
	"skald/frontend/check/checktest"
	"skald/frontend/diag"
	"skald/frontend/source"
)

// whole is what checking a text from its beginning says, one line a diagnostic.
func whole(text string) []string {
	var sink diag.Sink
	check.Check(check.Files{"a.fut": text}, "a.fut", &sink, check.Options{})
	var out []string
	for _, d := range sink.Sorted() {
		out = append(out, d.Error())
	}
	return out
}

// again is what x says of a text, with the places of parts that were not checked again moved to where they are now.
func again(x *check.Incremental, text string) []string {
	file := source.NewFile("a.fut", text)
	parts, list := x.Check(file)
	for _, p := range parts {
		for _, d := range p.Diagnostics {
			moved := *d
			at := int(d.Span.Start-p.At.Start) + p.Start
			moved.Span = file.Span(at, at+int(d.Span.End-d.Span.Start))
			list = append(list, &moved)
		}
	}
	slices.SortStableFunc(list, func(a, b *diag.Diagnostic) int { return int(a.Span.Start - b.Span.Start) })
	var out []string
	for _, d := range list {
		out = append(out, d.Error())
	}
	return out
}

// Whatever is edited, checking again says what checking from the beginning says.
func TestCheckingAgainSaysTheSame(t *testing.T) {
	lines := []string{
		"def n = 3i64", "def n = 4i64", "def n = 3i32",
		"def xs : [n]i32 = replicate n 0i32", "def ys = map (+1) xs", "def zs = map2 (+) xs ys", "def ys = iota 3",
		"type t = i32", "type t = f32", "def a: t = 1", "def b = a + 1i32", "def b = a + 1", "def c = b",
		"module m = {type t = i32 def x: t = 1}", "module m: {type t val x: t val f: t -> i32} = {type t = i32 def x: t = 1 def f (x: t) = x}",
		"module m = {type t = f32 def x: t = 1 def f (x: t) = 2i32}",
		"def d = m.x", "def e = m.f d", "def g (x: m.t) = m.f x", "open m", "local open m", "def h = x", "def h (k: i64) = k + 1",
		"def map 'a 'b [n] (f: a -> b) (xs: [n]a): [n]b = ???", "def k = h 3", "def k (x: t) = h", "def (+++) (x: i32) (y: i32) = x + y",
		"def l = 1 +++ 2", "def (+++) (x: f32) (y: f32) = x - y", "def l2 = l", "entry main (x: i32) = l2 + x", "module type s = {val x: i32}",
		"module p (q: s) = {def y = q.x}", "module r = p {def x = 1i32}", "def v = r.y", "module r = p m", "def w = ", "def fact (x: i32) = x",
	}
	for seed := range uint64(40) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		x := check.NewIncremental(check.Files{}, "a.fut")
		var now []string
		for step := range 60 {
			at := rnd.IntN(len(now) + 1)
			line := lines[rnd.IntN(len(lines))]
			switch n := rnd.IntN(4); {
			case n == 0 && at < len(now):
				now = slices.Delete(now, at, at+1)
			case n == 1 && at < len(now):
				now[at] = line
			case n == 2 && at < len(now):
				other := rnd.IntN(len(now))
				now[at], now[other] = now[other], now[at]
			default:
				now = slices.Insert(now, at, line)
			}
			text := strings.Join(now, "\n") + "\n"
			if slices.Contains(now, "def w = ") {
				x.Check(source.NewFile("a.fut", text))
				continue
			}
			want, got := whole(text), again(x, text)
			if !slices.Equal(want, got) {
				t.Fatalf("seed %d, step %d:\n%s\nsays\n%s\nwant\n%s", seed, step, text, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
	}
}

func TestAnEditChecksOneDeclaration(t *testing.T) {
	x := check.NewIncremental(check.Files{}, "a.fut")
	text := checktest.Functions()
	x.Check(source.NewFile("a.fut", text))
	before := x.Checks()
	text = strings.Replace(text, "[x, 499]", "[x, 499, 7]", 1)
	x.Check(source.NewFile("a.fut", text))
	if n := x.Checks() - before; n != 1 {
		t.Errorf("%d declarations were checked again", n)
	}
	text = strings.Replace(text, "def f500", "def f5000", 1)
	if parts, said := x.Check(source.NewFile("a.fut", text)); len(parts) != 1001 || len(said) > 0 {
		t.Errorf("%d parts, %v", len(parts), said)
	}
}

func BenchmarkAnEdit(b *testing.B) {
	x := check.NewIncremental(check.Files{}, "a.fut")
	text := checktest.Functions()
	x.Check(source.NewFile("a.fut", text))
	var longest time.Duration
	n := 0
	for b.Loop() {
		n++
		start := time.Now()
		x.Check(source.NewFile("a.fut", strings.Replace(text, "[x, 499]", fmt.Sprintf("[x, %d]", n), 1)))
		longest = max(longest, time.Since(start))
	}
	b.ReportMetric(float64(longest.Microseconds()), "µs/longest")
}
