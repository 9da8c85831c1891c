package surfacetest

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"skald/frontend/check"
	"skald/frontend/diag"
	"skald/frontend/interp"
	"skald/frontend/types"
	"skald/middle/goldentest"
	"skald/middle/pass"
	"skald/middle/surface"
	"skald/middle/surface/form"
	"skald/runtime/value"
)

// Golden runs a surface pass on every archive that pattern matches, and checks what the package comment says.
func Golden(t *testing.T, pattern string, step surface.Step) {
	t.Helper()
	Files(t, pattern, func(t *testing.T, file string, ar *txtar.Archive) {
		checked := Check(t, goldentest.Section(ar, "in"))
		before := Before(t, checked, step.Name)
		text := types.Source(before)
		after := apply(t, step, before)
		if types.Source(before) != text {
			t.Errorf("pass %s changes its input", step.Name)
		}
		got := types.Source(after)
		if got == text {
			t.Error("the pass returns its input")
		}
		if err := form.Check(surface.Forms[step.Name], before); err == nil {
			t.Error("the input has the form of the output already")
		}
		if err := form.Check(surface.Forms[step.Name], after); err != nil {
			t.Errorf("after %s: %v\n%s", step.Name, err, got)
		}
		goldentest.Out(t, file, ar, got)
		Calls(t, ar, func(t *testing.T, name string, args []value.Value) ([]value.Value, error) {
			return interpret(checked, name, args)
		})
		Calls(t, ar, func(t *testing.T, name string, args []value.Value) ([]value.Value, error) {
			return interpret(before, name, args)
		})
		Calls(t, ar, func(t *testing.T, name string, args []value.Value) ([]value.Value, error) {
			return interpret(after, name, args)
		})
		again := Check(t, got)
		Calls(t, ar, func(t *testing.T, name string, args []value.Value) ([]value.Value, error) {
			return interpret(again, name, args)
		})
	})
}

// Files runs f on every archive that pattern matches.
func Files(t *testing.T, pattern string, f func(t *testing.T, file string, ar *txtar.Archive)) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files match %s", pattern)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			f(t, file, ar)
		})
	}
}

// Check reads and checks a program.
func Check(t testing.TB, text string) *types.Prog {
	t.Helper()
	var sink diag.Sink
	prog, ok := check.Check(check.Files{"main.fut": text}, "main.fut", &sink, check.Options{})
	if !ok {
		for _, d := range sink.Sorted() {
			t.Error(d)
		}
		t.Fatalf("not accepted:\n%s", text)
	}
	return prog
}

// Before applies the passes that come before the one called name.
func Before(t testing.TB, p *types.Prog, name string) *types.Prog {
	t.Helper()
	for _, s := range surface.Passes {
		if s.Name == name {
			break
		}
		p = apply(t, s, p)
	}
	return p
}

func apply(t testing.TB, s surface.Step, p *types.Prog) *types.Prog {
	t.Helper()
	out, d := pass.Apply(&pass.Context{DumpDir: t.TempDir()}, s, p, types.Source)
	if d != nil {
		t.Fatalf("%v", d)
	}
	return out
}

// Calls makes the calls that the archive lists with run, and compares the results. A result that begins with `error:` is a text
// that the error must contain.
func Calls(t *testing.T, ar *txtar.Archive,
	run func(t *testing.T, name string, args []value.Value) ([]value.Value, error),
) {
	t.Helper()
	for _, f := range ar.Files {
		name, ok := strings.CutPrefix(f.Name, "call ")
		if !ok {
			continue
		}
		name = strings.Fields(name)[0]
		in, want, ok := strings.Cut(string(f.Data), "=>")
		if !ok {
			t.Fatalf("section %q has no line with =>", f.Name)
		}
		got, err := run(t, name, parse(t, in))
		if message, fails := strings.CutPrefix(strings.TrimSpace(want), "error:"); fails {
			if err == nil || !strings.Contains(err.Error(), strings.TrimSpace(message)) {
				t.Errorf("%s: error %v, want one with %q", f.Name, err, strings.TrimSpace(message))
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		compareValues(t, f.Name, got, parse(t, want))
	}
}

func compareValues(t *testing.T, call string, got, want []value.Value) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d results, want %d", call, len(got), len(want))
		return
	}
	for i := range got {
		if d := value.Compare(got[i], want[i], 0); d != nil {
			t.Errorf("%s: result %d is %v, want %v", call, i, got[i], want[i])
		}
	}
}

func parse(t *testing.T, text string) []value.Value {
	t.Helper()
	vs, err := value.ParseAll(text)
	if err != nil {
		t.Fatal(err)
	}
	return vs
}

func interpret(p *types.Prog, name string, args []value.Value) ([]value.Value, error) {
	out, err := interp.New(p, interp.Options{CheckConsumption: true}).Call(context.Background(), name, args)
	var failed *interp.Error
	if errors.As(err, &failed) {
		return nil, errors.New(failed.Message)
	}
	return out, err
}
