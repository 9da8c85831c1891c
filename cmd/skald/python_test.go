package main

import (
	"errors"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"skald/testsuite/depth"
)

// python returns the Python of the virtual environment that tests use, which a script makes; without one the test is skipped.
func python(t *testing.T) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("skipped: the script that makes the environment is for Unix")
	}
	out, err := exec.Command("../../scripts/python-env.sh").Output()
	if err != nil {
		reason := err.Error()
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			reason = strings.TrimSpace(string(exit.Stderr))
		}
		t.Skipf("skipped: there is no Python with the packages that are needed: %s", reason)
	}
	return strings.TrimSpace(string(out))
}

func TestFutharkServerOfPyPI(t *testing.T) {
	depth.Need(t, depth.Deep)
	py := python(t)
	dir := t.TempDir()
	copyTo(t, dir, "testdata/python/server.fut")
	copyTo(t, dir, "testdata/python/server_test.py")
	succeed(t, dir, skaldHere(t), "c", "--server", "server.fut", "-o", "prog")
	if out := succeed(t, dir, py, "server_test.py", "./prog"); out != "good\n" {
		t.Error(out)
	}
}

func TestFutharkFFIOfPyPI(t *testing.T) {
	depth.Need(t, depth.Deep)
	py := python(t)
	if _, err := exec.LookPath("cc"); err != nil {
		t.Skip("skipped: there is no C compiler (cc)")
	}
	dir := t.TempDir()
	copyTo(t, dir, "testdata/python/ffi.fut")
	copyTo(t, dir, "testdata/python/ffi_test.py")
	succeed(t, dir, skaldHere(t), "c", "--library", "ffi.fut")
	succeed(t, dir, filepath.Join(filepath.Dir(py), "build_futhark_ffi"), "ffi")
	if out := succeed(t, dir, py, "ffi_test.py"); out != "good\n" {
		t.Error(out)
	}
}
