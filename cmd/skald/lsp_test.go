package main

import (
	"os"
	"os/exec"
	"testing"

	"skald/testsuite/depth"
)

// The server as a process, with a client of PyPI that checks what it sends.
func TestLanguageServerWithPytestLsp(t *testing.T) {
	depth.Need(t, depth.Deep)
	py := python(t)
	cmd := exec.Command(py, "-m", "pytest", "-q", "-p", "no:cacheprovider", "../../tooling/lsp/testdata/lsp_test.py")
	cmd.Env = append(os.Environ(), "SKALD="+skaldHere(t), "FOLDER="+t.TempDir(), "PYTHONDONTWRITEBYTECODE=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
