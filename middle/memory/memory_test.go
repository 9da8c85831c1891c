package memory_test

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"skald/middle/core"
	"skald/middle/facts"
	"skald/middle/flatten"
	"skald/middle/memory"
	"skald/middle/pass"
	"skald/middle/passtest"
)

func TestArraysGetMemory(t *testing.T) { passtest.Golden(t, "testdata/*.txtar", memory.Pass) }

// The programs that flattening is tested with keep their results in memory.
func TestFlattenedProgramsKeepTheirResults(t *testing.T) {
	files, err := filepath.Glob("../flatten/testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs")
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			prog, err := core.Parse(string(ar.Files[0].Data))
			if err != nil {
				t.Fatal(err)
			}
			placed := passtest.Apply(t, memory.Pass, passtest.Apply(t, flatten.Pass, prog))
			for _, f := range ar.Files {
				if strings.HasPrefix(f.Name, "call main") {
					passtest.SameResults(t, prog, placed, "main", string(f.Data))
				}
			}
		})
	}
}

// A task of a processor has its elements one after the other, not beside those of other tasks.
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
	placed, d := pass.Apply(ctx, memory.Pass, prog, core.Print)
	if d != nil {
		t.Fatal(d)
	}
	if err := core.Verify(placed); err != nil {
		t.Fatal(err)
	}
	text := core.Print(placed)
	if !strings.Contains(text, "{t_68*slot_70; 1}") || strings.Contains(text, "{slot_70; slots_71}") {
		t.Error(text)
	}
	for _, f := range ar.Files {
		if strings.HasPrefix(f.Name, "call main") {
			passtest.SameResults(t, prog, placed, "main", string(f.Data))
		}
	}
}
