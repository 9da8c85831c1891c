package check_test

import (
	"fmt"
	"strings"
	"testing"

	"skald/frontend/check"
	"skald/frontend/diag"
)

func benchmarkCheck(b *testing.B, text string) {
	b.Helper()
	b.ReportAllocs()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		var sink diag.Sink
		if _, ok := check.Check(check.Files{"a.fut": text}, "a.fut", &sink, check.Options{}); !ok {
			b.Fatal(sink.All()[0].Error())
		}
	}
}

// BenchmarkEmpty is what every check costs: the index of the prelude.
func BenchmarkEmpty(b *testing.B) { benchmarkCheck(b, "") }

func BenchmarkSmall(b *testing.B) {
	benchmarkCheck(b, "def main [n] [m] [p] (xss: [n][m]f32) (yss: [m][p]f32) =\n"+
		"  map (\\xs -> map (\\ys -> f32.sum (map2 (*) xs ys)) (transpose yss)) xss\n")
}

// BenchmarkThousandDefinitions is a program of a thousand lines, each of which calls the one before.
func BenchmarkThousandDefinitions(b *testing.B) {
	var text strings.Builder
	text.WriteString("def f0 (x: i32) = x\n")
	for i := range 999 {
		fmt.Fprintf(&text, "def f%d (x: i32) = let ys = map (+ f%d x) [x, %d] in ys[0] + reduce (+) 0 ys\n", i+1, i, i)
	}
	benchmarkCheck(b, text.String())
}

// BenchmarkLongChain is one definition with a thousand local ones.
func BenchmarkLongChain(b *testing.B) {
	var text strings.Builder
	text.WriteString("def main (x0: i32) =\n")
	for i := range 1000 {
		fmt.Fprintf(&text, "  let x%d = x%d + %d\n", i+1, i, i)
	}
	text.WriteString("  in x1000\n")
	benchmarkCheck(b, text.String())
}

// BenchmarkOperators is one expression of ten thousand operators: the time for each must not depend on how many there are.
func BenchmarkOperators(b *testing.B) {
	benchmarkCheck(b, "def main = 1"+strings.Repeat(" + 1", 10_000))
}
