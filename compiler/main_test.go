package compiler_test

import (
	"fmt"
	"os"
	"testing"
)

// TestMain lets the tests name programs as they are seen from the top of the repository.
func TestMain(m *testing.M) {
	if err := os.Chdir(".."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
