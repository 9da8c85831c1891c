package pass_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/middle/pass"
)

func run(t *testing.T, f func(*pass.Context, int) int) (int, *diag.Diagnostic, string) {
	t.Helper()
	dir := t.TempDir()
	p := pass.Pass[int, int]{Name: "double", Doc: "double a number", Run: f}
	out, d := pass.Apply(&pass.Context{DumpDir: dir}, p, 21, func(int) string { return "twenty-one" })
	var kept string
	if files, _ := os.ReadDir(dir); len(files) == 1 {
		text, err := os.ReadFile(dir + "/" + files[0].Name())
		if err != nil {
			t.Fatal(err)
		}
		kept = string(text)
	}
	return out, d, kept
}

func TestApplyReturnsWhatThePassReturns(t *testing.T) {
	out, d, kept := run(t, func(_ *pass.Context, n int) int { return 2 * n })
	if out != 42 || d != nil || kept != "" {
		t.Errorf("got %d, %v, dump %q", out, d, kept)
	}
}

func TestBugNamesThePassAndKeepsItsInput(t *testing.T) {
	_, d, kept := run(t, func(c *pass.Context, n int) int {
		c.Bug(source.Span{}, "%d is odd", n)
		return 0
	})
	if d == nil || d.Severity != diag.Internal || !strings.Contains(d.Message, "pass double: 21 is odd") {
		t.Errorf("diagnostic: %v", d)
	}
	if kept != "twenty-one" {
		t.Errorf("kept input: %q", kept)
	}
}

func TestPanicIsABug(t *testing.T) {
	_, d, kept := run(t, func(_ *pass.Context, n int) int { return []int(nil)[n] })
	if d == nil || d.Severity != diag.Internal || !strings.Contains(d.Message, "pass double: ") {
		t.Errorf("diagnostic: %v", d)
	}
	if kept == "" {
		t.Error("the input was not kept")
	}
}

func TestApplySaysHowLongAPassTook(t *testing.T) {
	var names []string
	ctx := &pass.Context{Timed: func(name string, took time.Duration) {
		if took < 0 {
			t.Errorf("pass %s took %v", name, took)
		}
		names = append(names, name)
	}}
	p := pass.Pass[int, int]{Name: "double", Run: func(_ *pass.Context, n int) int { return 2 * n }}
	if _, d := pass.Apply(ctx, p, 1, nil); d != nil || len(names) != 1 || names[0] != "double" {
		t.Errorf("timed %v, %v", names, d)
	}
}

func TestLimitIsNoFaultOfOurs(t *testing.T) {
	_, d, kept := run(t, func(c *pass.Context, _ int) int {
		c.Limit(source.Span{}, "numbers this large")
		return 0
	})
	if d == nil || d.Severity != diag.Limitation || d.Message != "numbers this large" || kept != "" {
		t.Errorf("diagnostic: %v, kept %q", d, kept)
	}
}
