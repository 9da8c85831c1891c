package main

import (
	"os"
	"path/filepath"
	"testing"

	"skald/frontend/prelude/gen/render"
)

func TestEveryFileIsWritten(t *testing.T) {
	dir := t.TempDir()
	if err := write(dir); err != nil {
		t.Fatal(err)
	}
	files := render.Files()
	if len(files) == 0 {
		t.Error("there are no files")
	}
	for name, text := range files {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != text {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := write(filepath.Join(dir, "nowhere")); err == nil {
		t.Error("a folder that is not there is no error")
	}
}
