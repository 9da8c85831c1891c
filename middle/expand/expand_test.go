package expand_test

import (
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"skald/middle/core"
	"skald/middle/expand"
	"skald/middle/facts"
	"skald/middle/flatten"
	"skald/middle/memory"
	"skald/middle/pass"
	"skald/middle/passtest"
)

func TestArraysOfKernelsAreExpanded(t *testing.T) {
	passtest.Golden(t, "testdata/*.txtar", expand.Pass)
}

// The programs that flattening is tested with keep their results, with memory that devices have.
func TestFlattenedProgramsKeepTheirResults(t *testing.T) {
	passtest.KeepsResults(t, "../flatten/testdata/*.txtar", func(t *testing.T, prog *core.Prog) []*core.Prog {
		out := passtest.Apply(t, expand.Pass, passtest.Apply(t, memory.Pass, passtest.Apply(t, flatten.Pass, prog)))
		if out.Any(func(e core.Exp) bool {
			a, ok := e.(*core.Alloc)
			return ok && a.Space == core.SpacePrivate && !a.Count.IsConst()
		}) {
			t.Error("memory of a point has no constant size")
		}
		return []*core.Prog{out}
	})
}

// A task of a processor has its elements one after the other, not beside those of other tasks, in whole lines of the cache.
func TestScratchOfTasksLiesTogether(t *testing.T) {
	ar, err := txtar.ParseFile("testdata/kernel.txtar")
	if err != nil {
		t.Fatal(err)
	}
	prog, err := core.Parse(string(ar.Files[0].Data))
	if err != nil {
		t.Fatal(err)
	}
	ctx := &pass.Context{DumpDir: t.TempDir(), Device: facts.Facts{Tasks: 8}}
	out, d := pass.Apply(ctx, expand.Pass, prog, core.Print)
	if d != nil {
		t.Fatal(d)
	}
	if err := core.Verify(out); err != nil {
		t.Fatal(err)
	}
	text := core.Print(out)
	lines := regexp.MustCompile(`quot\.i64 \w+ 32i64\n\s+let \((\w+): i64\) = mul\.i64 \w+ 32i64`).FindStringSubmatch(text)
	if lines == nil || !regexp.MustCompile(`\{`+lines[1]+`\*slot_\d+; 1\}`).MatchString(text) {
		t.Errorf("no array has whole lines of 32 elements:\n%s", text)
	}
	if regexp.MustCompile(`; slots_\d+\}`).MatchString(text) {
		t.Errorf("elements lie beside those of other tasks:\n%s", text)
	}
	for _, f := range ar.Files {
		if strings.HasPrefix(f.Name, "call main") {
			passtest.SameResults(t, prog, out, "main", string(f.Data))
		}
	}
}
