package pipeline_test

import (
	"flag"
	"fmt"
	"testing"

	"skald/middle/core"
	"skald/middle/derive"
	"skald/middle/pass"
	"skald/middle/passtest"
	"skald/middle/pipeline"
)

var (
	seeds = flag.Uint64("seeds", 100, "how many random programs to compile")
	first = flag.Uint64("first", 0, "the first seed")
)

// arguments for the parameters of random programs.
const arguments = "4i64\n2i64\n7i32\n[3i32, -1i32, 4i32, 1i32]\n[[5i32, 9i32, 2i32, 6i32], [5i32, 3i32, -5i32, 8i32]]"

// Random programs keep their results through every pass.
func TestRandomProgramsKeepResults(t *testing.T) {
	for seed := *first; seed < *first+*seeds; seed++ {
		prog := program(seed)
		if err := core.Verify(prog); err != nil {
			t.Fatalf("seed %d: generated program: %v", seed, err)
		}
		t.Run(fmt.Sprintf("seed%d", seed), func(t *testing.T) { throughPipeline(t, prog) })
	}
}

func throughPipeline(t *testing.T, prog *core.Prog) {
	p := prog
	derivatives := derive.Wanted(p)
	for _, s := range pipeline.All() {
		if s.When != nil && !derivatives {
			continue
		}
		out, d := pass.Apply(&pass.Context{DumpDir: t.TempDir()}, s, p, core.Print)
		if d != nil {
			t.Fatalf("%v", d)
		}
		if err := core.Verify(out); err != nil {
			t.Fatalf("after %s: %v\nfrom:\n%s", s.Name, err, core.Print(p))
		}
		text := core.Print(out)
		if again, err := core.Parse(text); err != nil || core.Print(again) != text {
			t.Fatalf("after %s: the text form does not read back: %v\n%s", s.Name, err, text)
		}
		if passtest.SameResults(t, prog, out, "main", arguments); t.Failed() {
			t.Fatalf("by pass %s, from:\n%s", s.Name, core.Print(p))
		}
		p = out
	}
}

// FuzzPipeline looks for programs that lose their results.
func FuzzPipeline(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { throughPipeline(t, program(seed)) })
}
