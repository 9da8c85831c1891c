package howto

import (
	"os"
	"path/filepath"
	"testing"
)

// Every change of an example fits the code as it is, all examples together: this takes no time, so it fails where the code is changed.
func TestExamplesFitTheCode(t *testing.T) {
	texts := map[string]string{}
	for _, e := range readExamples(t) {
		for _, f := range e.files {
			text, known := texts[f.path]
			if !known && f.edit {
				data, err := os.ReadFile(filepath.Join("../..", filepath.FromSlash(f.path)))
				if err != nil {
					t.Fatal(err)
				}
				text = string(data)
			}
			var err error
			if texts[f.path], err = f.apply(text); err != nil {
				t.Errorf("%s: %v", e.name, err)
			}
		}
	}
}
