package c_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"skald/backends/c"
	"skald/middle/goldentest"
	"skald/middle/imp/imptest"
)

func module(t *testing.T, text string) string {
	t.Helper()
	source, _, errs, err := c.Module(imptest.Kernels(t, text))
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	return source
}

// TestGolden shows what becomes of kernels, without what precedes them. That the functions compute the right things is tested by
// the programs of testsuite.
func TestGolden(t *testing.T) {
	src, err := os.ReadFile("testdata/loops.imp")
	if err != nil {
		t.Fatal(err)
	}
	_, got, _ := strings.Cut(module(t, string(src)), "volatile i32 skald_stop;\n")
	goldentest.File(t, "testdata/loops.c.golden", got)
}

// Compilers accept modules without a warning, and vectorise the loops that are made for it.
func TestCompilersVectoriseLoopsOverLanes(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("SKIPPED: no gcc")
	}
	src, err := os.ReadFile("testdata/loops.imp")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "loops.c")
	text := module(t, string(src))
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{
		"-O3", "-march=native", "-ffp-contract=off", "-fwrapv", "-fno-strict-aliasing", "-fno-trapping-math", "-fopenmp-simd", "-std=gnu11",
		"-shared", "-fPIC",
		"-Wall", "-Wno-unused", "-Werror", "-fopt-info-vec", "-o", filepath.Join(dir, "loops.so"), file,
	}
	out, err := exec.Command(gcc, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	lines := strings.Split(text, "\n")
	for _, in := range []string{
		"acc[lane_i] = acc[lane_i] + (x * y)", "ys[i] = ", "failed_t", "ys[j] = x[lane_i] + 1", "% 65537u", "max_i32(acc, x)",
	} {
		found := false
		for _, line := range strings.Split(string(out), "\n") {
			var at int
			if _, rest, ok := strings.Cut(line, "loops.c:"); ok {
				for _, digit := range rest {
					if digit < '0' || digit > '9' {
						break
					}
					at = 10*at + int(digit-'0')
				}
			}
			for _, near := range lines[max(at-1, 0):min(at+6, len(lines))] {
				found = found || at > 0 && strings.Contains(near, in)
			}
		}
		if !found {
			t.Errorf("the loop with %q is not vectorised:\n%s", in, out)
		}
	}
}

func TestThreadsThatWaitForEachOtherAreALimit(t *testing.T) {
	ks := imptest.Kernels(t, "kernel a() group 2 {\n  barrier\n}\nkernel b() group 1 {\n}")
	text, entries, errs, err := c.Module(ks)
	if err != nil || errs[0] == nil || !strings.Contains(errs[0].Error(), "wait for each other") {
		t.Errorf("%v %v", errs, err)
	}
	if errs[1] != nil || !strings.Contains(text, "void "+entries[1]+"(") || strings.Contains(text, "kernel_a") {
		t.Errorf("%v\n%s", errs, text)
	}
}
