package compiler_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skald/compiler"
	"skald/frontend/check"
	"skald/frontend/diag"
	"skald/frontend/interp"
	"skald/frontend/source"
	"skald/frontend/types"
	"skald/middle/core/eval"
	"skald/middle/imp"
	"skald/runtime/value"
	"skald/tooling/spec"
)

// stageCase is a program with an input and the result worked out by hand.
type stageCase struct {
	name, source string
	input, want  []value.Value
}

// stageCases are the programs that are run at every stage of the compiler: those of testsuite/programs/basics.
func stageCases(t *testing.T) []stageCase {
	t.Helper()
	files, err := filepath.Glob("testsuite/programs/basics/*.fut")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d programs found: %v", len(files), err)
	}
	var cases []stageCase
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var sink diag.Sink
		p := spec.Parse(source.NewFile(file, string(text)), &sink)
		if sink.HasErrors() {
			t.Fatalf("%s: %v", file, sink.Sorted()[0])
		}
		c := p.Groups[0].Cases[0]
		name := strings.TrimSuffix(filepath.Base(file), ".fut")
		cases = append(cases, stageCase{name, string(text), parseAll(t, c.Input.Text), parseAll(t, c.Want.Values.Text)})
	}
	return cases
}

func TestProgramsMeanTheSameAtEveryStage(t *testing.T) {
	for _, c := range stageCases(t) {
		t.Run(c.name, func(t *testing.T) {
			prog := checkText(t, c.source)
			compare(t, "interpreter", interpret(t, prog, c.input), c.want)
			for _, s := range compiler.Stages() {
				got := runStage(t, prog, s, c.input)
				compare(t, s.Name, got, c.want)
			}
		})
	}
}

// Results are the same without the passes that can be left out: those of the front pipeline when the program is compiled, those for
// devices where it runs.
func TestProgramsMeanTheSameWithoutOptionalPasses(t *testing.T) {
	var front, device []string
	for _, s := range compiler.Stages() {
		switch {
		case s.Needed != "":
		case s.Pipeline == compiler.PipelineFront:
			front = append(front, s.Name)
		default:
			device = append(device, s.Name)
		}
	}
	dev, _, err := compiler.OpenDevice(compiler.DeviceOptions{Name: "cpu"})
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	for _, c := range stageCases(t) {
		prog := checkText(t, c.source)
		for _, without := range [][]string{front, device, append(slices.Clone(front), device...)} {
			opts := compiler.CompileOptions{Verify: true, DumpDir: t.TempDir(), Without: without}
			p, d := compiler.Compile(prog, opts)
			if d != nil {
				t.Errorf("%s without %v: %s", c.name, without, d.Message)
				continue
			}
			got, err := p.Run(t.Context(), dev, "main", c.input...)
			if err != nil {
				t.Errorf("%s without %v: %v", c.name, without, err)
				continue
			}
			compare(t, c.name, got, c.want)
		}
	}
}

// runStage runs a program as it is at a stage: a stage of the surface language by reading what it prints again.
func runStage(t *testing.T, prog *types.Prog, s compiler.Stage, input []value.Value) []value.Value {
	t.Helper()
	opts := compiler.CompileOptions{Verify: true, DumpDir: t.TempDir()}
	switch s.Form {
	case compiler.FormSource:
		text, d, err := compiler.Dump(prog, s.Name, opts)
		if err != nil || d != nil {
			t.Fatalf("%s: %v %v", s.Name, err, d)
		}
		return interpret(t, checkText(t, text), input)
	case compiler.FormCore:
		ir, d := compiler.Core(prog, s.Name, opts)
		if d != nil {
			t.Fatalf("%s: %s", s.Name, d.Message)
		}
		got, err := eval.RunEntry(ir, "main", input, eval.Options{})
		if err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		return got
	case compiler.FormLow:
		dev, _, err := compiler.OpenDevice(compiler.DeviceOptions{Name: "cpu"})
		if err != nil {
			t.Fatal(err)
		}
		defer dev.Close()
		opts.Model = dev.Model
		text, d, err := compiler.Dump(prog, s.Name, opts)
		if err != nil || d != nil {
			t.Fatalf("%s: %v %v", s.Name, err, d)
		}
		return runLow(t, text, dev, input)
	default:
		t.Fatalf("stage %s has the unknown form %s", s.Name, s.Form)
		return nil
	}
}

// runLow runs the text of a low-level program.
func runLow(t *testing.T, text string, dev *compiler.Device, input []value.Value) []value.Value {
	t.Helper()
	low, err := imp.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	p, err := compiler.LoadLow(low, dev)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	got, err := p.Call("main", input)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func checkText(t testing.TB, text string) *types.Prog {
	t.Helper()
	return checkFile(t, "main.fut", text)
}

func checkFile(t testing.TB, name, text string) *types.Prog {
	t.Helper()
	prog, sink, ok := compiler.Check(name, compiler.CheckOptions{Loader: check.Files{name: text}})
	if !ok {
		var b strings.Builder
		if err := diag.Text(&b, sink.Sorted()); err != nil {
			t.Fatal(err)
		}
		t.Fatalf("not accepted:\n%s\n%s", text, b.String())
	}
	return prog
}

func interpret(t *testing.T, prog *types.Prog, input []value.Value) []value.Value {
	t.Helper()
	got, err := compiler.Interpret(prog, interp.Options{}).Call(context.Background(), "main", input)
	if err != nil {
		t.Fatalf("interpreter: %v", err)
	}
	return got
}

func parseAll(t *testing.T, text string) []value.Value {
	t.Helper()
	vs, err := value.ParseAll(text)
	if err != nil {
		t.Fatal(err)
	}
	return vs
}

func compare(t *testing.T, stage string, got, want []value.Value) {
	t.Helper()
	if got == nil {
		return
	}
	if len(got) != len(want) {
		t.Fatalf("after %s: %d results, want %d", stage, len(got), len(want))
	}
	for i := range got {
		if d := value.Compare(got[i], want[i], 0); d != nil {
			t.Errorf("after %s: result %d is %v, want %v", stage, i, got[i], want[i])
		}
	}
}

// unprintable are the programs whose surface stages, from the one named on, say in types what the language cannot.
var unprintable = map[string]string{
	// A size that a closure carries equals another that only the pass knows of.
	"modules/computed-sizes.fut": "defunctionalise",
	// A value of a size-lifted type has sizes that nothing shows.
	"polymorphism/lifted.fut": "monomorphise",
	// A lambda cannot name the size of its result, which flatmap's may not be of.
	"soacs/flatmap.fut": "defunctionalise",
	// The size of a slice in a call: written twice, it is two sizes that nobody knows.
	"sizes/of-slices.fut": "check",
}

func TestSurfaceStagesPrintProgramsThatAreAcceptedAgain(t *testing.T) {
	files, err := filepath.Glob("testsuite/programs/*/*.fut")
	if err != nil || len(files) < 200 {
		t.Fatalf("%d programs found: %v", len(files), err)
	}
	examples, err := filepath.Glob("examples/*.fut")
	if err != nil || len(examples) < 6 {
		t.Fatalf("%d examples found: %v", len(examples), err)
	}
	for _, file := range append(files, examples...) {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			prog, _, ok := compiler.Check(file, compiler.CheckOptions{})
			if !ok {
				return // a program that is to be rejected
			}
			until := unprintable[strings.TrimPrefix(filepath.ToSlash(file), "testsuite/programs/")]
			for _, s := range compiler.Stages() {
				if s.Form != compiler.FormSource || s.Name == until {
					break
				}
				text, d, err := compiler.Dump(prog, s.Name, compiler.CompileOptions{Verify: true, DumpDir: t.TempDir()})
				if err != nil || d != nil {
					t.Fatalf("%s: %v %v", s.Name, err, d)
				}
				checkText(t, text)
			}
		})
	}
}
