package layout_test

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"skald/middle/core"
	"skald/middle/facts"
	"skald/middle/layout"
	"skald/middle/pass"
	"skald/middle/passtest"
)

func TestArraysAreLaidOutForTheirReaders(t *testing.T) {
	passtest.Golden(t, "testdata/*.txtar", layout.Pass)
}

// What neighbouring threads read and write side by side stays as it is.
func TestWhatIsReadSideBySideStays(t *testing.T) {
	files, err := filepath.Glob("testdata/*.core")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs")
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		p, err := core.Parse(string(text))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if got := core.Print(passtest.Apply(t, layout.Pass, p)); got != core.Print(p) {
			t.Errorf("%s became\n%s", file, got)
		}
	}
}

// Processors keep rows together, and software devices have no lanes that wait for memory.
func TestProcessorsKeepRows(t *testing.T) {
	ar, err := txtar.ParseFile("testdata/rows.txtar")
	if err != nil {
		t.Fatal(err)
	}
	p, err := core.Parse(string(ar.Files[0].Data))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []facts.Facts{{Tasks: 4}, {Software: true}} {
		out, d := pass.Apply(&pass.Context{Device: f}, layout.Pass, p, core.Print)
		if d != nil || out != p {
			t.Errorf("%+v: changed, %v", f, d)
		}
	}
}
