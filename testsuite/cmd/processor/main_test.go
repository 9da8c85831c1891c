package main

import (
	"os/exec"
	"testing"
)

// The programs find their sources from the top of the repository. That results agree is part of the run.
func TestResultsAgreeWithC(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("SKIPPED: no gcc")
	}
	t.Chdir("../../..")
	if err := run(1, 2, 1, 10); err != nil {
		t.Error(err)
	}
}
