package conformance

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"skald/runtime/value"
	"skald/tooling/evaluate"
	"skald/tooling/spec"
)

// caseRunner runs the cases of one program.
type caseRunner struct {
	t      *tester
	prog   *Checked
	loaded Loaded
	oracle Loaded // what references come from, once it is needed
}

// safely makes a panic in a case the result of that case; the others go on.
func (r *caseRunner) safely(begun Result, run func() Result) (out Result) {
	defer func() {
		if p := recover(); p != nil {
			out = begun
			out.Status, out.Reason = Fail, recovered(p).Error()
		}
	}()
	return run()
}

// one runs a case; n is its number among all cases of the program.
func (r *caseRunner) one(entry string, c *spec.Case, n int) Result {
	out := Result{Kind: Ran, Entry: entry, Case: c.Name()}
	fail := func(format string, args ...any) Result {
		out.Status, out.Reason = Fail, fmt.Sprintf(format, args...)
		return out
	}
	args, err := r.values(&c.Input)
	if err != nil {
		return fail("input: %v", err)
	}
	got, err := r.t.o.call(r.loaded, entry, args)
	switch c.Want.Kind {
	case spec.WantError:
		switch {
		case err == nil:
			return fail("has a result, but must fail with %q", c.Want.Error.Pattern)
		case strings.HasPrefix(err.Error(), "internal error"):
			return fail("%v", err)
		case !c.Want.Error.Matches("Error: " + strings.TrimPrefix(err.Error(), "Error: ")): // as executables print it
			return fail("must fail with %q, but fails with: %v", c.Want.Error.Pattern, err)
		}
		return out
	case spec.WantAny:
		if err != nil {
			return fail("%v", err)
		}
		return out
	case spec.WantAuto:
		if err != nil {
			return fail("%v", err)
		}
		msg, against, err := r.againstReference(got, entry, args, n)
		out.Against = against
		if err != nil {
			return fail("reference: %v", err)
		}
		if msg != "" {
			return fail("%s", msg)
		}
		return out
	default:
		if err != nil {
			return fail("%v", err)
		}
		want, err := r.values(&c.Want.Values)
		if err != nil {
			return fail("expected output: %v", err)
		}
		if msg := compare(got, want); msg != "" {
			return fail("%s", msg)
		}
		return out
	}
}

// compare describes the first difference, or returns "".
func compare(got, want []value.Value) string {
	if len(got) != len(want) {
		return fmt.Sprintf("%d results, but %d are expected", len(got), len(want))
	}
	for i := range got {
		if d := value.Compare(got[i], want[i], value.DefaultTolerance); d != nil {
			return fmt.Sprintf("result %d: %v", i, d)
		}
	}
	return ""
}

// values returns the values that a block describes.
func (r *caseRunner) values(v *spec.Values) ([]value.Value, error) {
	call := func(entry string, args []value.Value) ([]value.Value, error) {
		return r.t.o.call(r.loaded, entry, args)
	}
	p := &evaluate.Program{Types: r.prog.Prog, Dir: filepath.Dir(r.t.path), Call: call}
	return p.Values(v)
}

// oracleProgram returns the program where references come from.
func (r *caseRunner) oracleProgram() (Loaded, error) {
	if r.oracle == nil {
		p, err := load(r.t.o.oracle(), r.prog)
		if err != nil {
			return nil, err
		}
		r.oracle = p
	}
	return r.oracle, nil
}

// againstReference describes the first difference of results from the reference of the n-th case of the program, or returns "",
// and says where that is from: a file with the values, else figures of them, else Options.Reference.
func (r *caseRunner) againstReference(got []value.Value, entry string, args []value.Value, n int) (msg, from string, err error) {
	if vs, ok, err := r.t.autoOutput(n); ok || err != nil {
		return compare(got, vs), "reference output", err
	}
	if r.t.o.AutoOutput != "" && r.t.o.Reference == nil {
		program, err := r.t.program()
		if err != nil {
			return "", "", err
		}
		if want, ok, err := indexFigures(r.t.o.AutoOutput, program, n); ok || err != nil {
			return compareFigures(got, want), "reference figures", err
		}
	}
	from = r.t.o.oracle().Name()
	p, err := r.oracleProgram()
	if err != nil {
		return "", from, err
	}
	vs, err := r.t.o.call(p, entry, args)
	return compare(got, vs), from, err
}

// autoOutput reads the reference output of the n-th case of the program, if there is one.
func (t *tester) autoOutput(n int) ([]value.Value, bool, error) {
	if t.o.AutoOutput == "" {
		return nil, false, nil
	}
	program, err := t.program()
	if err != nil {
		return nil, false, err
	}
	name := strings.ReplaceAll(strings.TrimSuffix(program, ".fut"), "/", ".")
	path := filepath.Join(t.o.AutoOutput, fmt.Sprintf("%s.%d.out.gz", name, n))
	if _, err := os.Stat(path); err != nil {
		return nil, false, nil
	}
	vs, err := evaluate.ReadFile(path)
	return vs, true, err
}

// program is the program's file as the index of reference outputs names it.
func (t *tester) program() (string, error) {
	rel, err := relative(t.o.Root, t.path)
	return filepath.ToSlash(rel), err
}

// relative is path as seen from root; either may be relative to the working directory.
func relative(root, path string) (string, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return "", err
	}
	if path, err = filepath.Abs(path); err != nil {
		return "", err
	}
	return filepath.Rel(root, path)
}
