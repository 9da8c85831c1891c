package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// sanitizer builds the command, or skips the test where gcc has no address sanitizer.
func sanitizer(t *testing.T) string {
	t.Helper()
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
	return program
}

// The sanitizers see the code of kernels, and where arrays end.
func TestAccessBeyondAnArrayIsReported(t *testing.T) {
	program := sanitizer(t)
	said, err := exec.Command(program, "testdata/beyond.fut").CombinedOutput()
	if err == nil || !strings.Contains(string(said), "heap-buffer-overflow") || !strings.Contains(string(said), "1 programs with reports") {
		t.Errorf("%v\n%s", err, said)
	}
	said, err = exec.Command(program, "../../../examples/histogram.fut").CombinedOutput()
	if err != nil || !strings.Contains(string(said), " 0 failed; 0 programs with reports") {
		t.Errorf("%v\n%s", err, said)
	}
}

// A case with `auto output` is compared with the file of the folder of reference outputs, here a wrong one, and each case is printed.
func TestReferenceOutputsAreTakenFromTheFolder(t *testing.T) {
	program, dir := sanitizer(t), t.TempDir()
	source := filepath.Join(dir, "double.fut")
	text := "-- ==\n-- input { [1, 2] } auto output\nentry main [n] (xs: [n]i32): [n]i32 = map (* 2) xs\n"
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, status := range map[string]string{"[2i32, 4i32]": "pass", "[2i32, 5i32]": "fail"} {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		if _, err := w.Write([]byte(want)); err != nil || w.Close() != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "double.0.out.gz"), packed.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		said, err := exec.Command(program, "-v", "-auto-output", dir, "-auto-output-root", dir, source).CombinedOutput()
		if (err == nil) != (status == "pass") || !strings.Contains(string(said), ": "+status+", ") ||
			!strings.Contains(string(said), "reference output") {
			t.Errorf("%s: %v\n%s", want, err, said)
		}
	}
}
