package passtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"skald/middle/core"
	"skald/middle/core/eval"
	"skald/middle/derive"
	"skald/middle/facts"
	"skald/middle/goldentest"
	"skald/middle/pass"
	"skald/runtime/value"
)

// Golden runs a pass on every archive that pattern matches, and checks what
// the package comment says; also that the pass changes the program.
func Golden(t *testing.T, pattern string, p pass.Pass[*core.Prog, *core.Prog]) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files match %s", pattern)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { golden(t, file, p) })
	}
}

func golden(t *testing.T, file string, p pass.Pass[*core.Prog, *core.Prog]) {
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before := Parse(t, goldentest.Section(ar, "in"))
	after := Apply(t, p, before)
	got := core.Print(after)
	if got == core.Print(before) {
		t.Error("the pass returns its input")
	}
	goldentest.Out(t, file, ar, got)
	for _, f := range ar.Files {
		if name, ok := strings.CutPrefix(f.Name, "call "); ok {
			SameResults(t, before, after, strings.Fields(name)[0], string(f.Data))
		}
	}
}

// Stays checks that a pass changes none of the programs that pattern matches.
func Stays(t *testing.T, pattern string, p pass.Pass[*core.Prog, *core.Prog]) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs match %s", pattern)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		prog := Parse(t, string(text))
		if got := core.Print(Apply(t, p, prog)); got != core.Print(prog) {
			t.Errorf("%s became\n%s", file, got)
		}
	}
}

// StaysOn checks that a pass leaves the program of a golden file as it is where the device has some facts.
func StaysOn(t *testing.T, file string, p pass.Pass[*core.Prog, *core.Prog], devices ...facts.Facts) {
	t.Helper()
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	prog := Parse(t, goldentest.Section(ar, "in"))
	for _, device := range devices {
		out, d := pass.Apply(&pass.Context{Device: device}, p, prog, core.Print)
		if d != nil || out != prog {
			t.Errorf("%+v: changed, %v", device, d)
		}
	}
}

// Apply runs a pass and verifies what it makes.
func Apply(t *testing.T, p pass.Pass[*core.Prog, *core.Prog], prog *core.Prog) *core.Prog {
	t.Helper()
	text := core.Print(prog)
	out, d := pass.Apply(&pass.Context{DumpDir: t.TempDir()}, p, prog, core.Print)
	if d != nil {
		t.Fatalf("%v", d)
	}
	if core.Print(prog) != text {
		t.Errorf("pass %s changes its input", p.Name)
	}
	if err := core.Verify(out); err != nil {
		t.Fatalf("after %s: %v\n%s", p.Name, err, core.Print(out))
	}
	return out
}

// Input returns the program that a golden archive begins with.
func Input(t *testing.T, file string) *core.Prog {
	t.Helper()
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return Parse(t, string(ar.Files[0].Data))
}

// KeepsResults checks that programs that are made of those that pattern matches have the results of what they are made of, in each call
// of main that the archives have.
func KeepsResults(t *testing.T, pattern string, made func(t *testing.T, prog *core.Prog) []*core.Prog) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs match %s", pattern)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			prog := Parse(t, string(ar.Files[0].Data))
			for _, p := range made(t, prog) {
				for _, f := range ar.Files {
					if strings.HasPrefix(f.Name, "call main") {
						SameResults(t, prog, p, "main", string(f.Data))
					}
				}
			}
		})
	}
}

// Parse returns the program of a text, which is verified.
func Parse(t *testing.T, src string) *core.Prog {
	t.Helper()
	p, err := core.Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	if err := core.Verify(p); err != nil {
		t.Fatal(err)
	}
	return p
}

// SameResults runs function name of two programs on the same arguments, each
// on a line of its own, and compares the results: forwards and with high
// thresholds, and backwards and with low ones. The first program must run.
func SameResults(t *testing.T, before, after *core.Prog, name, args string) {
	t.Helper()
	want, err := run(before, name, args, eval.Options{})
	if err != nil {
		t.Errorf("%s before: %v", name, err)
		return
	}
	for _, opts := range []eval.Options{{}, {Backwards: true, Threshold: 1}} {
		got, err := run(after, name, args, opts)
		if err != nil {
			t.Errorf("%s after: %v\n%s", name, err, core.Print(after))
			return
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("results of %s differ (-before +after):\n%s\n%s", name, d, core.Print(after))
			return
		}
	}
}

// run returns the results as text. A failed assertion is a result too.
func run(p *core.Prog, name, args string, opts eval.Options) (string, error) {
	var vals []value.Value
	for _, line := range strings.Split(strings.TrimSpace(args), "\n") {
		if line == "" {
			continue
		}
		v, err := value.Parse(line)
		if err != nil {
			return "", fmt.Errorf("argument %q: %w", line, err)
		}
		vals = append(vals, v)
	}
	// The evaluator runs no derivatives.
	p, d := pass.Apply(&pass.Context{}, derive.Pass, p, core.Print)
	if d != nil {
		return "", d
	}
	res, err := eval.Run(p, name, vals, opts)
	if a, ok := err.(*eval.AssertError); ok {
		return "fails: " + a.Msg, nil
	}
	var b strings.Builder
	for _, v := range res {
		fmt.Fprintln(&b, v)
	}
	return b.String(), err
}
