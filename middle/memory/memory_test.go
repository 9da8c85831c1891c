package memory_test

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"skald/middle/core"
	"skald/middle/flatten"
	"skald/middle/memory"
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
