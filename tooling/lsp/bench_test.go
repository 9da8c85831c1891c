//go:build unix

package lsp_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.lsp.dev/protocol"

	"skald/frontend/check/checktest"
)

// An editCase is an edit that is made again and again: texts takes the place of the one before, in turn.
type editCase struct {
	name, program string
	old           string
	// text is what is there after the nth edit; each differs from the one before.
	text func(n int) string
	// wrong says that the text then has errors.
	wrong func(n int) bool
}

// alternate takes two texts in turn.
func alternate(a, b string) func(n int) string {
	return func(n int) string { return []string{a, b}[n%2] }
}

func never(int) bool { return false }

func isEven(n int) bool { return n%2 == 0 }

// BenchmarkEdits measures how long an editor waits for the diagnostics of an edit in programs of 5,000 lines, and for the colours
// of the whole text after it: medians and the longest of all, with the processor time, as benchmarks/editor.csv has them. Run it by
// -benchtime 40x.
func BenchmarkEdits(b *testing.B) {
	programs, err := checktest.Programs("../../testsuite/programs")
	if err != nil {
		b.Fatal(err)
	}
	number := func(before, behind string) func(n int) string {
		return func(n int) string { return before + fmt.Sprint(2000+n) + behind }
	}
	for _, c := range []editCase{
		{"a number", checktest.Functions(checktest.Many), "[x, 499]", number("[x, ", "]"), never},
		{"a syntax error and its correction", checktest.Functions(checktest.Many), "[x, 499]", alternate("[x, 499", "[x, 499]"), isEven},
		{"a type error and its correction", checktest.Functions(checktest.Many), "[x, 499]", alternate("[x, 4.99]", "[x, 499]"), isEven},
		{"the name of a function that is used", checktest.Functions(checktest.Many), "def f500 ", alternate("def g500 ", "def f500 "), isEven},
		{
			"the type of a function that all others depend on", checktest.Functions(checktest.Many), "f0 (x: i32)",
			alternate("f0 (x: i64)", "f0 (x: i32)"),
			isEven,
		},
		{"a type that all functions are about", aboutOneType(), "type t = i32", alternate("type t = i64", "type t = i32"), never},
		{"a type error in one module of 5,000 lines", checktest.Module(checktest.Many), "[x, 499]", alternate("[x, 4.99]", "[x, 499]"), isEven},
		{"a line before everything", checktest.Functions(checktest.Many), "def f0 ", alternate("\ndef f0 ", "def f0 "), never},
		{"a number in one module of 5,000 lines", checktest.Module(checktest.Many), "[x, 499]", number("[x, ", "]"), never},
		{"a line before everything in our programs", programs, "module p0 =", alternate("\nmodule p0 =", "module p0 ="), never},
		{"a definition at the end of our programs", programs + "def last = 1\n", "def last = 1\n", number("def last = ", "\n"), never},
	} {
		b.Run(c.name, func(b *testing.B) { measureEdits(b, c) })
	}
}

// aboutOneType is a program whose functions are about a type, so that all are checked again when it changes.
func aboutOneType() string {
	return "type t = i32\n" + strings.ReplaceAll(checktest.Functions(checktest.Many), "(x: i32)", "(x: t): t")
}

// processorTime is what this process has used so far, on a machine where others work, too.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func measureEdits(b *testing.B, c editCase) {
	dir := b.TempDir()
	d := start(b, dir).open(filepath.Join(dir, "a.fut"), c.program)
	for _, said := range d.said(0) {
		if said.Severity == protocol.DiagnosticSeverityError {
			b.Fatal(said.Message)
		}
	}
	var edits, colours, processor []time.Duration
	before := c.old
	n := 0
	for b.Loop() {
		now := c.text(n)
		begin, used := time.Now(), processorTime(b)
		said := d.edit(before, now)
		edits = append(edits, time.Since(begin))
		processor = append(processor, processorTime(b)-used)
		isError := func(m protocol.Diagnostic) bool { return m.Severity == protocol.DiagnosticSeverityError }
		if slices.ContainsFunc(said, isError) != c.wrong(n) {
			b.Fatalf("edit %d: %v", n, said)
		}
		begin = time.Now()
		var tokens protocol.SemanticTokens
		d.c.call("textDocument/semanticTokens/full", map[string]any{"textDocument": map[string]any{"uri": d.uri}}, &tokens)
		colours = append(colours, time.Since(begin))
		before = now
		n++
	}
	for _, list := range [][]time.Duration{edits, colours, processor} {
		slices.Sort(list)
	}
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	b.ReportMetric(ms(edits[len(edits)/2]), "ms/edit")
	b.ReportMetric(ms(edits[len(edits)-1]), "ms/longest")
	b.ReportMetric(ms(processor[len(processor)/2]), "processor-ms/edit")
	b.ReportMetric(ms(colours[len(colours)/2]), "ms/colours")
}
