package lower_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skald/frontend/diag"
	"skald/middle/choose"
	"skald/middle/core"
	"skald/middle/goldentest"
	"skald/middle/imp"
	"skald/middle/lower"
	"skald/middle/pass"
	"skald/middle/passtest"
)

// run lowers a program after the choices for the device; the error is a diagnostic.
func run(p *core.Prog, facts lower.Facts) (*imp.Prog, error) {
	p, d := pass.Apply(&pass.Context{Device: facts}, choose.Pass, p, core.Print)
	if d != nil {
		return nil, d
	}
	out, d := pass.Apply(&pass.Context{}, lower.Pass(facts, nil), p, core.Print)
	if d != nil {
		return nil, d
	}
	return out, nil
}

// TestGolden shows what becomes of whole programs. That they compute the
// right things is tested in testsuite/lowering.
func TestGolden(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.core")
	if err != nil || len(paths) == 0 {
		t.Fatal("no programs", err)
	}
	facts := lower.Facts{GroupSize: 4, Groups: 2, SharedBytes: 64, Vectors: true}
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		p, err := run(passtest.Parse(t, string(src)), facts)
		if err != nil {
			t.Fatal(err)
		}
		if err := imp.Verify(p); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		got := imp.Print(p)
		if q, err := imp.Parse(got); err != nil || imp.Print(q) != got {
			t.Errorf("%s: the result does not read back: %v", path, err)
		}
		goldentest.File(t, strings.TrimSuffix(path, ".core")+".imp", got)
	}
}

func TestLoweringTwiceGivesTheSame(t *testing.T) {
	src, err := os.ReadFile("testdata/sum.core")
	if err != nil {
		t.Fatal(err)
	}
	p := passtest.Parse(t, string(src))
	before := core.Print(p)
	var texts []string
	for range 2 {
		out, err := run(p, lower.Facts{})
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, imp.Print(out))
	}
	if texts[0] != texts[1] {
		t.Error("two runs differ")
	}
	if core.Print(p) != before {
		t.Error("lowering changed its input")
	}
}

// Lowering makes no choice: a program without one is refused, with what is missing.
func TestProgramsWithoutChoicesAreRefused(t *testing.T) {
	src, err := os.ReadFile("testdata/sum.core")
	if err != nil {
		t.Fatal(err)
	}
	_, d := pass.Apply(&pass.Context{DumpDir: t.TempDir()}, lower.Pass(lower.Facts{}, nil), passtest.Parse(t, string(src)), core.Print)
	if d == nil || !strings.Contains(d.Error(), "no choice says how the device runs") {
		t.Errorf("%v", d)
	}
}

func TestLimitNamesThePlace(t *testing.T) {
	p := passtest.Parse(t, `stage memory
fun main (n_1: i64, m_2: mem(i32, device)): (r_6: i64) = {
  let (xs_3: [n_1]i32 @m_2{0; 1}) = segmap.grid (i_4 < n_1) (i32) {
    let (pm_5: mem(i32, private)) = alloc i32 n_1 private at "a.fut:7:1-2"
    in (1i32)
  }
  in (n_1)
}
`)
	_, err := run(p, lower.Facts{})
	var d *diag.Diagnostic
	if !errors.As(err, &d) || d.Code != diag.CodeLimit || d.Place != "a.fut:7:1-2" {
		t.Errorf("%v", err)
	}
}
