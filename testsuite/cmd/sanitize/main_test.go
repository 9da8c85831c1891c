package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The sanitizers see the code of kernels, and where arrays end.
func TestAccessBeyondAnArrayIsReported(t *testing.T) {
	out, err := exec.Command("gcc", "-print-file-name=libasan.so").Output()
	if err != nil || !filepath.IsAbs(strings.TrimSpace(string(out))) {
		t.Skip("SKIPPED: gcc has no address sanitizer")
	}
	t.Setenv("CGO_ENABLED", "0")
	t.Setenv("SKALD_CACHE", t.TempDir())
	program := filepath.Join(t.TempDir(), "sanitize")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	said, err := exec.Command(program, "testdata/beyond.fut").CombinedOutput()
	if err == nil || !strings.Contains(string(said), "heap-buffer-overflow") || !strings.Contains(string(said), "1 programs with reports") {
		t.Errorf("%v\n%s", err, said)
	}
	said, err = exec.Command(program, "../../../examples/histogram.fut").CombinedOutput()
	if err != nil || !strings.Contains(string(said), " 0 failed; 0 programs with reports") {
		t.Errorf("%v\n%s", err, said)
	}
}
