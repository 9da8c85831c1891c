package pipeline_test

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"skald/middle/core"
	"skald/middle/pass"
	"skald/middle/passtest"
	"skald/middle/pipeline"
)

// programs are the inputs of the passes' golden tests, with their calls.
func programs(t testing.TB) map[string]*txtar.Archive {
	t.Helper()
	files, err := filepath.Glob("../*/testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs")
	}
	out := map[string]*txtar.Archive{}
	for _, f := range files {
		ar, err := txtar.ParseFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if len(ar.Files) > 0 && strings.HasPrefix(string(ar.Files[0].Data), "stage soacs") {
			out[f] = ar
		}
	}
	return out
}

func parse(t testing.TB, ar *txtar.Archive) *core.Prog {
	t.Helper()
	p, err := core.Parse(string(ar.Files[0].Data))
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Entries) == 0 {
		p.Entries = []core.Entry{{Name: "main", Fun: "main"}}
	}
	return p
}

func TestPassesHaveNamesAndDocs(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range pipeline.GPU {
		if s.Name == "" || s.Doc == "" || seen[s.Name] {
			t.Errorf("pass %q (%q)", s.Name, s.Doc)
		}
		seen[s.Name] = true
	}
}

func TestPipelineKeepsResults(t *testing.T) {
	for name, ar := range programs(t) {
		t.Run(name, func(t *testing.T) {
			before := parse(t, ar)
			after, d := pipeline.Run(&pass.Context{DumpDir: t.TempDir(), Check: true}, pipeline.GPU, before, "")
			if d != nil {
				t.Fatal(d)
			}
			if after.Stage != core.StageMemory {
				t.Errorf("ends at stage %s", after.Stage)
			}
			for _, f := range ar.Files {
				if strings.HasPrefix(f.Name, "call main") {
					passtest.SameResults(t, before, after, "main", string(f.Data))
				}
			}
		})
	}
}

func TestRunStopsAfterThePassNamed(t *testing.T) {
	for _, ar := range programs(t) {
		p, d := pipeline.Run(&pass.Context{}, pipeline.GPU, parse(t, ar), "fuse")
		if d != nil || p.Stage != core.StageSOACS {
			t.Fatalf("stage %v, %v", p.Stage, d)
		}
	}
}

// Compiling twice gives the same text.
func TestPipelineIsDeterministic(t *testing.T) {
	for name, ar := range programs(t) {
		first, _ := pipeline.Run(&pass.Context{}, pipeline.GPU, parse(t, ar), "")
		second, _ := pipeline.Run(&pass.Context{}, pipeline.GPU, parse(t, ar), "")
		if core.Print(first) != core.Print(second) {
			t.Errorf("%s compiles differently the second time", name)
		}
	}
}

func BenchmarkPipeline(b *testing.B) {
	var progs []*core.Prog
	for _, ar := range programs(b) {
		progs = append(progs, parse(b, ar))
	}
	b.ResetTimer()
	for range b.N {
		for _, p := range progs {
			if _, d := pipeline.Run(&pass.Context{}, pipeline.GPU, p, ""); d != nil {
				b.Fatal(d)
			}
		}
	}
}
