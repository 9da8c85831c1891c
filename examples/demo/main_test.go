package main

import (
	"math"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The demo is run from the top of the repository.
func TestDemoCountsTheBytesOfAFileOrNamesOneThatIsMissing(t *testing.T) {
	t.Chdir("../..")
	skald := filepath.Join(t.TempDir(), "skald")
	if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", skald, "./cmd/skald").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := run(skald, "examples/histogram.fut"); err != nil {
		t.Error(err)
	}
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
