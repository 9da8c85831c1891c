package kernels

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"skald/compiler"
	"skald/frontend/diag"
	"skald/middle/imp"
	"skald/runtime/host"
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
		return []string{"portable", first} // and what naga takes, where it is there
	case depth.Deep:
	}
	return targets.ProfileNames()
}

// emission is what `skald build --emit` prints of a program for a profile, or why it does not. The kernels are kept for the profiles that
// NVRTC or naga takes: those for all would take a gigabyte.
type emission struct {
	codes []*imp.Code
	err   error
}

// emissions are those that emit has made, by file and profile.
var emissions = map[[2]string]emission{}

// emit prints the low-level program and its kernels, once for all tests. Tests call it one after the other.
func emit(p *compiler.Program, file, profile string) emission {
	key := [2]string{file, profile}
	e, known := emissions[key]
	if known {
		return e
	}
	m := targets.FindProfile(profile)
	low, err := p.Lower(m)
	if err == nil {
		_ = imp.Print(low)
	}
	for i := 0; err == nil && i < len(low.Kernels); i++ {
		var code *imp.Code
		code, err = m.Emit(host.Packed(low.Kernels[i], m.Facts))
		if profile == first || slices.Contains(translated, profile) {
			e.codes = append(e.codes, code)
		}
	}
	e.err = err
	emissions[key] = e
	return e
}

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
			err := emit(compiled, file, name).err
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

// emitted calls each for the kernels that are emitted of programs for a profile, with what bare leaves of their text; equal texts once.
func emitted(
	t *testing.T, files []string, profile string, bare func(source string) string, each func(file string, c *imp.Code, text string),
) {
	t.Helper()
	seen := map[string]bool{}
	for _, file := range files {
		compiled := compile(t, file)
		if compiled == nil {
			continue
		}
		e := emit(compiled, file, profile)
		if e.err != nil {
			t.Errorf("%s: %v", file, e.err)
			continue
		}
		for _, c := range e.codes {
			if text := bare(c.Source); !seen[text] {
				seen[text] = true
				each(file, c, text)
			}
		}
	}
}
