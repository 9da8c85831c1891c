package wasm_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"skald/backends/wasm"
	"skald/middle/imp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func kernels(t *testing.T, text string) []*imp.Kernel {
	t.Helper()
	p, err := imp.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range p.Kernels {
		if err := imp.VerifyKernel(k); err != nil {
			t.Fatal(err)
		}
	}
	return p.Kernels
}

// TestGolden shows what becomes of kernels. That it computes the right things is tested by package targets and the programs of testsuite.
func TestGolden(t *testing.T) {
	src, err := os.ReadFile("testdata/loops.imp")
	if err != nil {
		t.Fatal(err)
	}
	p, errs := wasm.Kernels(kernels(t, string(src)))
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	got := p.Module.Text()
	if *update {
		if err := os.WriteFile("testdata/loops.wat.golden", []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/loops.wat.golden")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	r := wazero.NewRuntimeWithConfig(t.Context(),
		wazero.NewRuntimeConfigInterpreter().WithCoreFeatures(api.CoreFeaturesV2|experimental.CoreFeaturesThreads))
	m, err := r.CompileModule(t.Context(), p.Module.Binary())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range p.Entries {
		if m.ExportedFunctions()[e.Name] == nil {
			t.Errorf("the module does not export %s", e.Name)
		}
	}
}

func TestThreadsThatWaitForEachOtherAreALimit(t *testing.T) {
	ks := kernels(t, "kernel a() group 2 {\n  barrier\n}\nkernel b() group 1 {\n}")
	p, errs := wasm.Kernels(ks)
	if errs[0] == nil || !strings.Contains(errs[0].Error(), "wait for each other") {
		t.Errorf("%v", errs)
	}
	if text := p.Module.Text(); errs[1] != nil || !strings.Contains(text, p.Entries[1].Name) || strings.Contains(text, "kernel_a") {
		t.Errorf("%v\n%s", errs, text)
	}
	if _, err := wasm.Print(ks[0]); err == nil {
		t.Error("a kernel with threads that wait is printed")
	}
}
