package main

import (
	"math"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// build makes skald in a folder for temporary files. The demo is run from the top of the repository.
func build(t *testing.T) string {
	t.Helper()
	t.Chdir("../..")
	path := filepath.Join(t.TempDir(), "skald")
	if out, err := exec.Command("go", "build", "-o", path, "./cmd/skald").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

func TestDemoCountsTheBytesOfAFile(t *testing.T) {
	skald := build(t)
	if err := run(skald, "examples/histogram.fut"); err != nil {
		t.Error(err)
	}
}

func TestDemoNamesTheFileThatIsMissing(t *testing.T) {
	skald := build(t)
	err := run(skald, "no-such-file")
	if err == nil || !strings.Contains(err.Error(), "no-such-file") {
		t.Errorf("error = %v, want one that names the file", err)
	}
}

func TestBitsIsTheLogarithmOfPowersOfTwo(t *testing.T) {
	for n := range 20 {
		if got := bits(math.Exp2(float64(n)) - 1); got != float64(n) {
			t.Errorf("bits(2^%d - 1) = %v", n, got)
		}
	}
}
