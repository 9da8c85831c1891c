package simplify_test

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"skald/middle/core"
	"skald/middle/flatten"
	"skald/middle/memory"
	"skald/middle/passtest"
	"skald/middle/simplify"
)

func TestRulesShrinkPrograms(t *testing.T) { passtest.Golden(t, "testdata/*.txtar", simplify.Pass) }

// Simplification between the other passes, at every stage, keeps results.
func TestSimplifyingEveryStageKeepsResults(t *testing.T) {
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
			p := passtest.Apply(t, simplify.Pass, prog)
			stages := []*core.Prog{p}
			p = passtest.Apply(t, simplify.Pass, passtest.Apply(t, flatten.Pass, p))
			stages = append(stages, p)
			p = passtest.Apply(t, simplify.Pass, passtest.Apply(t, memory.Pass, p))
			stages = append(stages, p)
			for _, f := range ar.Files {
				for _, p := range stages {
					if strings.HasPrefix(f.Name, "call main") {
						passtest.SameResults(t, prog, p, "main", string(f.Data))
					}
				}
			}
		})
	}
}
