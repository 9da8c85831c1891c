// Package goldentest compares what tests get with files. With -update (`make golden`) the files are written instead; read the difference
// before committing it.
package goldentest

import (
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write the golden files")

// File compares a text with a file.
func File(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-want +got):\n%s", path, d)
	}
}

// Out compares a text with section out of an archive, which is a file.
func Out(t *testing.T, file string, ar *txtar.Archive, got string) {
	t.Helper()
	if *update {
		setSection(ar, "out", got)
		if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(Section(ar, "out"), got); d != "" {
		t.Errorf("output differs (-want +got):\n%s", d)
	}
}

// Section returns the text of a section, or "".
func Section(ar *txtar.Archive, name string) string {
	for _, f := range ar.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

func setSection(ar *txtar.Archive, name, text string) {
	for i, f := range ar.Files {
		if f.Name == name {
			ar.Files[i].Data = []byte(text)
			return
		}
	}
	ar.Files = append(ar.Files, txtar.File{Name: name, Data: []byte(text)})
}
