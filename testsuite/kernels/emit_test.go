package kernels

import (
	"errors"
	"path/filepath"
	"testing"

	"skald/frontend/diag"
	"skald/targets"
	"skald/testsuite/depth"
)

// emittedProfiles are one in quick tests, three in full ones and all in deep ones. Kernels of the examples and benchmarks are printed for
// all of them anyway: see recorded_test.go.
func emittedProfiles() []string {
	switch depth.Of() {
	case depth.Quick:
		return []string{"portable"}
	case depth.Full:
		return []string{"portable", "apple", "sm_90"}
	case depth.Deep:
	}
	return targets.ProfileNames()
}

// unprinted is the profile whose kernels the evaluator takes as they are, in workgroups whose threads wait for each other: no language of
// processors has that.
const unprinted = "cpu-evaluator"

// What `skald build --emit` prints exists for every program and profile, but where a device cannot run the program: then its limitation is
// told, and of that a few programs are there to show it.
func TestEveryProgramIsEmittedForEveryProfile(t *testing.T) {
	emitted, refused := 0, map[string]bool{}
	for _, file := range programs(t, folders) {
		compiled := compile(t, file)
		if compiled == nil {
			continue
		}
		for _, name := range emittedProfiles() {
			m := targets.FindProfile(name)
			_, err := compiled.LowText(m)
			if err == nil && name != unprinted {
				_, err = compiled.Kernels(m)
			}
			var limit *diag.Diagnostic
			switch {
			case err == nil:
				emitted++
			case errors.As(err, &limit) && limit.Severity == diag.Limitation:
				refused[filepath.ToSlash(file)+" on "+name] = true
			default:
				t.Errorf("%s for %s: %v", file, name, err)
			}
		}
	}
	t.Logf("%d emitted; refused: %v", emitted, refused)
	if len(refused)*100 > emitted {
		t.Errorf("%d of %d are refused", len(refused), emitted+len(refused))
	}
}
