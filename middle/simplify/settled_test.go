package simplify

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"skald/middle/core"
)

// What rounds leave out since nothing has changed for it would have stayed as it is.
func TestSettledOperationsAreAsSimpleAsTheyGet(t *testing.T) {
	files, _ := filepath.Glob("../*/testdata/*.txtar")
	functions := 0
	for _, name := range files {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range ar.Files {
			if !strings.HasPrefix(string(f.Data), "stage ") {
				continue
			}
			p, err := core.Parse(string(f.Data))
			if err != nil || p.Stage == core.StageChosen {
				continue // of other tests
			}
			for _, f := range p.Funs {
				functions++
				if got, want := core.PrintFun(simplified(f, p.Stage, whereNeeded)), core.PrintFun(simplified(f, p.Stage, everywhere)); got != want {
					t.Errorf("%s:\n%s\nwith whole rounds:\n%s", name, got, want)
				}
			}
		}
	}
	if functions < 100 {
		t.Errorf("only %d functions", functions)
	}
}
