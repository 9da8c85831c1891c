package syntax_test

import (
	"fmt"
	"strings"
	"testing"

	"skald/frontend/diag"
	"skald/frontend/prelude"
	"skald/frontend/source"
	"skald/frontend/syntax"
)

// library is the text of the prelude, repeated to be worth measuring.
func library() string {
	var b strings.Builder
	for _, f := range prelude.Files() {
		b.WriteString(f.Text)
	}
	return b.String()
}

// table is a declaration with a large array of numbers.
func table(n int) string {
	var b strings.Builder
	b.WriteString("def xs = [")
	for i := range n {
		fmt.Fprintf(&b, "%d, ", i*7919)
	}
	b.WriteString("1]\n")
	return b.String()
}

// expressions is a program that is mostly expressions.
func expressions() string {
	const f = `
def step [n] (dt: f32) (xs: [n](f32, f32)) : [n](f32, f32) =
  let acc = map (\(x, y) -> let r = f32.sqrt (x * x + y * y + 1e-3)
                            in (x / (r ** 3), y / (r ** 3))) xs
  let total = loop s = 0f32 for i < n do if i % 2 == 0 then s + acc[i].0 else s - acc[i].1
  in map2 (\(x, y) (ax, ay) -> (x + dt * ax - total, y + dt * ay)) xs acc
`
	return strings.Repeat(f, 200)
}

func BenchmarkLex(b *testing.B) {
	text := expressions()
	f := source.NewFile("a.fut", text)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		syntax.Lex(f)
	}
}

func benchmarkParse(b *testing.B, text string) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		var sink diag.Sink
		syntax.Parse(source.NewFile("a.fut", text), &sink)
		if sink.HasErrors() {
			b.Fatal(sink.All()[0])
		}
	}
}

func BenchmarkParseExpressions(b *testing.B) { benchmarkParse(b, expressions()) }
func BenchmarkParseTable(b *testing.B)       { benchmarkParse(b, table(100_000)) }
func BenchmarkParseEmpty(b *testing.B)       { benchmarkParse(b, "def x = 1\n") }

func BenchmarkParseLibrary(b *testing.B) {
	for b.Loop() {
		for _, file := range prelude.Files() {
			var sink diag.Sink
			syntax.Parse(source.NewFile(file.Name, file.Text), &sink)
		}
	}
	b.SetBytes(int64(len(library())))
}

func BenchmarkIndexLibrary(b *testing.B) {
	for b.Loop() {
		for _, file := range prelude.Files() {
			syntax.IndexFile(source.NewFile(file.Name, file.Text))
		}
	}
	b.SetBytes(int64(len(library())))
}
