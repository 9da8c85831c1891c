package random_test

import (
	"context"
	"flag"
	"fmt"
	"testing"

	"skald"
	"skald/frontend/check"
	"skald/frontend/diag"
	"skald/frontend/interp"
	"skald/frontend/types"
	"skald/middle/core/eval"
	"skald/middle/internalise"
	"skald/runtime/value"
	"skald/testsuite/random"
)

var (
	seeds = flag.Uint64("seeds", 60, "how many random programs to compile")
	first = flag.Uint64("first", 0, "the first seed")
)

// Random programs mean the same to the interpreter, after internalisation, and at the end of the pipeline.
func TestRandomProgramsMeanTheSame(t *testing.T) {
	limits := 0
	for seed := *first; seed < *first+*seeds; seed++ {
		text := random.Program(seed)
		t.Run(fmt.Sprintf("seed%d", seed), func(t *testing.T) {
			args, err := value.ParseAll(random.Arguments)
			if err != nil {
				t.Fatal(err)
			}
			prog := checked(t, text)
			want, err := skald.Interpret(prog, interp.Options{CheckConsumption: true}).Call(context.Background(), "main", args)
			if err != nil {
				t.Fatalf("interpreter: %v\n%s", err, text)
			}
			for _, stage := range []string{internalise.Pass.Name, ""} {
				if !compiled(t, prog, stage, args, want, text) {
					limits++
				}
			}
		})
	}
	t.Logf("%d of %d programs need something that is not supported", limits, *seeds)
}

// compiled compiles a program up to a stage, runs it in the evaluator, and compares the results. It returns false if the program hits
// a limit of the compiler.
func compiled(t *testing.T, prog *types.Prog, stage string, args, want []value.Value, text string) bool {
	t.Helper()
	ir, d := skald.Core(prog, stage, skald.CompileOptions{Verify: true, DumpDir: t.TempDir()})
	if d != nil && d.Severity == diag.Limitation {
		return false
	}
	if d != nil {
		t.Fatalf("%s\n%s", d.Message, text)
	}
	got, err := eval.RunEntry(ir, "main", args, eval.Options{})
	if err != nil {
		t.Fatalf("after %q: %v\n%s", stage, err, text)
	}
	if len(got) != len(want) {
		t.Fatalf("after %q: %d results, want %d\n%s", stage, len(got), len(want), text)
	}
	for i := range got {
		if diff := value.Compare(got[i], want[i], 0); diff != nil {
			t.Fatalf("after %q: result %d is %v, want %v\n%s", stage, i, got[i], want[i], text)
		}
	}
	return true
}

func checked(t *testing.T, text string) *types.Prog {
	t.Helper()
	prog, sink, ok := skald.Check("main.fut", skald.CheckOptions{Loader: check.Files{"main.fut": text}})
	if !ok {
		for _, d := range sink.Sorted() {
			t.Error(d)
		}
		t.Fatalf("not accepted:\n%s", text)
	}
	return prog
}
