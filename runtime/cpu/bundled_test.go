package cpu

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// here is the least class of this machine's processors.
func here() string {
	if runtime.GOARCH == "arm64" {
		return "armv8"
	}
	return "x86-64"
}

// bundled is filling, compiled for a class of processors; it stores twice what the evaluator does.
func bundled(t *testing.T, name string) Bundled {
	t.Helper()
	needCompiler(t)
	b, err := CompileFor(Options{Print: printAs(fillText("2 * p->x"))}, runtime.GOOS+"/"+runtime.GOARCH, name, []string{filling})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// changed is a bundle with another head.
func changed(t *testing.T, b Bundled, f func(*bundledHead)) Bundled {
	t.Helper()
	line, code, _ := bytes.Cut(b, []byte{'\n'})
	var head bundledHead
	if err := json.Unmarshal(line, &head); err != nil {
		t.Fatal(err)
	}
	f(&head)
	line, err := json.Marshal(head)
	if err != nil {
		t.Fatal(err)
	}
	return append(append(line, '\n'), code...)
}

func TestBundledCodeNeedsNoCompiler(t *testing.T) {
	b := bundled(t, here())
	d, warned, run := opened(t, Options{Print: printAs("junk"), Bundled: []Bundled{b}, Compiler: "/nowhere/cc"})
	if f := d.Facts(); !f.Compiled || f.Driver != "code for "+here() {
		t.Errorf("%+v", f)
	}
	for range 2 {
		if x, failed, err := run(); x != 14 || failed != 4 || err != nil || len(*warned) > 0 {
			t.Errorf("%d, failure %d, %v, %q", x, failed, err, *warned)
		}
	}
}

// Of several the best one is taken that this processor runs.
func TestTheBestBundledCodeIsTaken(t *testing.T) {
	if runtime.GOARCH != "amd64" || !machines[1].here() {
		t.Skip("SKIPPED: not a processor with two classes")
	}
	b := bundled(t, "x86-64")
	better := changed(t, b, func(h *bundledHead) { h.Machine = "x86-64-v2" })
	foreign := changed(t, b, func(h *bundledHead) { h.Machine = "armv8" })
	if got, why := pick([]Bundled{b, better, foreign}); got == nil || got.head.Machine != "x86-64-v2" || why != nil {
		t.Errorf("%+v %v", got, why)
	}
}

// Code that does not fit is never loaded: kernels are compiled if there is a compiler, else evaluated, and one line says why.
func TestBundledCodeThatDoesNotFit(t *testing.T) {
	b := bundled(t, here())
	other, err := CompileFor(Options{Print: printAs("int x;")}, runtime.GOOS+"/"+runtime.GOARCH, here(), []string{filling})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		bundle    Bundled
		want, has string
	}{
		"another processor": {changed(t, b, func(h *bundledHead) { h.Machine = "riscv" }), "code for riscv (", "code for riscv ("},
		"another system":    {changed(t, b, func(h *bundledHead) { h.System = "plan9/mips" }), "(plan9/mips), which", "(plan9/mips), which"},
		"no such kernel":    {changed(t, b, func(h *bundledHead) { h.Kernels = nil }), "no code for kernel fill", ""},
		"damaged code":      {b[:bytes.IndexByte(b, '\n')+100], "cannot be loaded", ""},
		"other code":        {other, "cannot be loaded: it has no stop", ""},
		"damaged head":      {b[1:], "cannot be read", "cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			_, warned, run := opened(t, Options{Print: printAs("junk"), Bundled: []Bundled{c.bundle}, Compiler: "/nowhere/cc"})
			if x, failed, err := run(); x != 7 || failed != 4 || err != nil {
				t.Errorf("evaluated: %d, failure %d, %v", x, failed, err)
			}
			if len(*warned) != 1 || !strings.Contains((*warned)[0], c.want) || !strings.Contains((*warned)[0], "no C compiler") {
				t.Errorf("evaluated: warnings %q", *warned)
			}
			_, warned, run = opened(t, Options{Print: printAs(fillText("2 * p->x")), Bundled: []Bundled{c.bundle}})
			if x, failed, err := run(); x != 14 || failed != 4 || err != nil {
				t.Errorf("compiled: %d, failure %d, %v", x, failed, err)
			}
			if c.has == "" && len(*warned) > 0 || c.has != "" && (len(*warned) != 1 || !strings.Contains((*warned)[0], c.has)) {
				t.Errorf("compiled: warnings %q", *warned)
			}
		})
	}
}

// pretend makes this machine's processor one with these features, until the test ends.
func pretend(t *testing.T, features string) {
	t.Helper()
	real := processor
	t.Cleanup(func() { processor = real })
	processor = func() [][2]string { return [][2]string{{"flags", features}} }
}

// A cache or an executable may have been on a machine with a better processor.
func TestCodeForAnotherProcessorIsNotUsed(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("SKIPPED: not a processor with these features")
	}
	const old = "cx16 lahf_lm popcnt pni sse4_1 sse4_2 ssse3"
	const better = old + " avx avx2 bmi1 bmi2 f16c fma abm movbe"
	b := bundled(t, here())
	later := changed(t, b, func(h *bundledHead) { h.Machine = "x86-64-v3" })
	run := func(processor, factor string) (x int32, warned []string) {
		t.Helper()
		pretend(t, processor)
		_, said, run := opened(t, Options{Print: printAs(fillText(factor + " * p->x")), Bundled: []Bundled{later}, Compiler: "/nowhere/cc"})
		x, failed, err := run()
		if failed != 4 || err != nil {
			t.Errorf("failure %d, %v", failed, err)
		}
		return x, *said
	}
	if x, warned := run(better, "3"); x != 14 || len(warned) > 0 {
		t.Errorf("the executable's code is not used: %d, %q", x, warned)
	}
	if x, warned := run(old, "3"); x != 7 || len(warned) != 1 || !strings.Contains(warned[0], "code for x86-64-v3") {
		t.Errorf("on an old processor: %d, %q", x, warned)
	}

	c, err := findCompiler("")
	if err != nil {
		t.Fatal(err)
	}
	pretend(t, better)
	if _, err := c.code(fillText("1")); err != nil {
		t.Fatal(err)
	}
	c.path = script(t, "exit 1")
	if _, err := c.code(fillText("1")); err != nil {
		t.Errorf("kept code is not used: %v", err)
	}
	pretend(t, old)
	if _, err := c.code(fillText("1")); err == nil {
		t.Error("code for a better processor is used")
	}
}

func TestCodeIsBundledForProcessorsThatThereAre(t *testing.T) {
	for _, c := range []struct{ system, name, want string }{
		{runtime.GOOS + "/" + runtime.GOARCH, "pentium", "there are x86-64,"},
		{"linux/arm64", "x86-64-v3", "not a processor of linux/arm64"},
		{"plan9/amd64", "x86-64", "not for plan9"},
	} {
		if _, err := CompileFor(Options{}, c.system, c.name, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s for %s: %v", c.name, c.system, err)
		}
	}
}

// A compiler of this machine makes no code for another kind of processor: the error says what to do.
func TestCodeForAnotherKindOfProcessorNeedsItsCompiler(t *testing.T) {
	system, name := runtime.GOOS+"/arm64", "armv8.2"
	if runtime.GOARCH == "arm64" {
		system, name = runtime.GOOS+"/amd64", "x86-64-v3"
	}
	needCompiler(t)
	_, err := CompileFor(Options{Print: printAs(fillText("2 * p->x"))}, system, name, []string{filling})
	if want := "makes code for " + system + " with --cpu-compiler"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, not: %s", err, want)
	}
}

// Where the build of skald is known, kernels are not printed to find their code again: neither by another build nor where it is damaged.
func TestKeptCodeIsFoundByKernels(t *testing.T) {
	needCompiler(t)
	run := func(build, factor string) int32 {
		t.Helper()
		_, warned, run := opened(t, Options{Print: printAs(fillText(factor + " * p->x")), Build: []byte(build)})
		x, failed, err := run()
		if failed != 4 || err != nil || len(*warned) > 0 {
			t.Errorf("failure %d, %v, %q", failed, err, *warned)
		}
		return x
	}
	if first, again, other := run("a", "2"), run("a", "3"), run("b", "3"); first != 14 || again != 14 || other != 21 {
		t.Errorf("%d, %d with the same build, %d with another", first, again, other)
	}
	kept, err := filepath.Glob(filepath.Join(os.Getenv("SKALD_CACHE"), cacheFolder, "*"))
	if err != nil || len(kept) != 2 {
		t.Fatalf("%v %v", kept, err)
	}
	for _, f := range kept {
		if err := os.Truncate(f, 100); err != nil {
			t.Fatal(err)
		}
	}
	if x := run("a", "4"); x != 28 {
		t.Errorf("%d from damaged code", x)
	}
}
