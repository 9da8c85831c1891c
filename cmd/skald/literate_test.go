package main

import (
	"os"
	"path/filepath"
	"testing"
)

// The literate pages of docs are those of the examples: made again from the results that are kept there, they are the same.
func TestPagesOfExamplesAreCurrent(t *testing.T) {
	for _, name := range []string{"mandelbrot", "life", "histogram"} {
		dir := t.TempDir()
		images := "example-" + name + "-img"
		if err := os.CopyFS(filepath.Join(dir, images), os.DirFS(filepath.Join("../../docs", images))); err != nil {
			t.Fatal(err)
		}
		page := filepath.Join(dir, "example-"+name+".md")
		if code := run([]string{"literate", "--backend", "cpu", "../../examples/" + name + ".fut", "-o", page}); code != 0 {
			t.Fatalf("%s: exit code %d", name, code)
		}
		got, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile("../../docs/example-" + name + ".md")
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want) {
			t.Errorf("docs/example-%s.md is not what `make docs` writes", name)
		}
	}
}
