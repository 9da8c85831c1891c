// Package language_test runs the programs of this folder: one file for each part of the language, with expectations that
// were worked out by hand. Those in rejected must not be accepted, for the reason that each gives.
package language_test

import (
	"path/filepath"
	"testing"

	"skald/testsuite/conformance"
)

func TestPrograms(t *testing.T) {
	for _, pattern := range []string{"*.fut", "rejected/*.fut"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s matches %d files: %v", pattern, len(files), err)
		}
		for _, file := range files {
			t.Run(file, func(t *testing.T) {
				results := conformance.File(file, conformance.Options{Executor: conformance.Interpreter{}})
				if len(results) == 0 {
					t.Error("nothing was tested")
				}
				for _, r := range results {
					if r.Status != conformance.Pass {
						t.Errorf("%s %s: %s: %s", r.Entry, r.Case, r.Status, r.Reason)
					}
				}
			})
		}
	}
}
