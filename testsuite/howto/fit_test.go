package howto

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"
)

// Every change of an example fits the code as it is, all examples together: this takes no time, so it fails where the code is changed.
func TestExamplesFitTheCode(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no examples")
	}
	texts := map[string]string{}
	for _, path := range paths {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		e, err := parse(ar)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		for _, f := range e.files {
			text, known := texts[f.path]
			if !known && f.edit {
				data, err := os.ReadFile(filepath.Join("../..", filepath.FromSlash(f.path)))
				if err != nil {
					t.Fatal(err)
				}
				text = string(data)
			}
			if texts[f.path], err = f.apply(text); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
}
