package compiler_test

import (
	"context"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skald/compiler"
	"skald/frontend/interp"
	"skald/middle/core"
	"skald/middle/core/eval"
	"skald/middle/imp"
	"skald/runtime/value"
)

// example is the program that is shown at every stage, with a call of it.
const example = "examples/histogram.fut"

func readExample(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile(example)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The example prints at every stage. From core IR on it is read back as the same, verifies, has its results, and goes on to the end as
// it would have without having been printed.
func TestTheExampleIsShownAtEveryStage(t *testing.T) {
	opts := compiler.CompileOptions{Verify: true, DumpDir: t.TempDir(), Locations: true}
	prog := checkText(t, readExample(t))
	input := []value.Value{value.FromSlice([]uint8{1, 0, 7, 1, 255, 1, 0})}
	want := parseAll(t, "[2i32, 3i32]")
	last := compiler.Stages()[len(compiler.Stages())-1].Name
	end, d, err := compiler.Dump(prog, last, opts)
	if d != nil || err != nil {
		t.Fatal(d, err)
	}
	forms := map[string]int{}
	for _, s := range compiler.Stages() {
		forms[s.Form]++
		text, d, err := compiler.Dump(prog, s.Name, opts)
		if d != nil || err != nil || text == "" {
			t.Errorf("after %s: %v %v", s.Name, d, err)
			continue
		}
		if s.Form == compiler.FormSource {
			if s.Name == "check" || s.Name == "normalise" {
				continue // types are explicit there, which source text cannot say
			}
			got, err := compiler.Interpret(checkText(t, text), interp.Options{}).Call(context.Background(), "main", input)
			if err != nil {
				t.Fatalf("after %s: %v", s.Name, err)
			}
			compare(t, s.Name, got, want)
			continue
		}
		if s.Form == compiler.FormLow {
			if low, err := imp.Parse(text); err != nil || imp.Print(low) != text {
				t.Errorf("after %s: it is not read back: %v", s.Name, err)
			}
			continue
		}
		ir, err := core.Parse(text)
		if err != nil {
			t.Fatalf("after %s: %v", s.Name, err)
		}
		if err := core.Verify(ir); err != nil {
			t.Errorf("after %s: %v", s.Name, err)
		}
		if d := cmp.Diff(text, core.Print(ir)); d != "" {
			t.Errorf("after %s: read back differently: %s", s.Name, d)
		}
		got, err := eval.RunEntry(ir, "main", input, eval.Options{})
		if err != nil {
			t.Fatalf("after %s: %v", s.Name, err)
		}
		compare(t, s.Name, got, want)
		again, d2, err := compiler.DumpCore(text, s.Name, last, opts)
		if d2 != nil || err != nil {
			t.Fatalf("from %s: %v %v", s.Name, d2, err)
		}
		if d := cmp.Diff(end, again); d != "" {
			t.Errorf("from %s on it ends differently: %s", s.Name, d)
		}
	}
	if forms[compiler.FormSource] < 5 || forms[compiler.FormCore] < 9 {
		t.Errorf("stages: %v", forms)
	}
}

// Lowered for a device the example is read back as well, and its kernels print.
func TestTheExampleIsShownLowered(t *testing.T) {
	p := compile(t, readExample(t))
	for _, name := range []string{"portable", "native"} {
		model := compiler.DeviceProfile(name)
		text, err := p.LowText(model)
		if err != nil {
			t.Fatal(err)
		}
		low, err := imp.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := imp.Verify(low); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if d := cmp.Diff(text, imp.Print(low)); d != "" {
			t.Errorf("%s: read back differently: %s", name, d)
		}
		if text, err := p.KernelText(model); err != nil || text == "" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}

// Ways to fill a histogram that leave copies of the bins share the kernels that combine them.
func TestCopiesOfAHistogramAreCombinedByTheSameKernels(t *testing.T) {
	p := compile(t, `
def main [n] (k: i64) (is: [n]i64) : [k]u32 =
  let add (a: u32) (b: u32) = let s = a + b in if s > 0xffffff then 0xffffff else s
  in reduce_by_index (replicate k 0) add 0 is (map (\i -> u32.i64 (i % 7)) is)`)
	for _, profile := range []string{"h200-cuda", "h200-wgpu", "portable"} {
		low, err := p.Lower(compiler.DeviceProfile(profile))
		if err != nil {
			t.Fatal(err)
		}
		names := map[string]string{}
		for _, k := range low.Kernels {
			unnamed := *k
			unnamed.Name = ""
			text := imp.PrintKernel(&unnamed)
			if names[text] != "" {
				t.Errorf("%s: %s is equal to %s", profile, k.Name, names[text])
			}
			names[text] = k.Name
		}
	}
}
