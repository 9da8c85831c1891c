package everywhere

import (
	"path/filepath"
	"strings"
	"testing"

	"skald/testsuite/depth"
	"skald/tooling/conformance"
)

// evaluatedProfiles are the devices whose kernels are evaluated here, with a search for races: one in quick tests, one for each way that
// kernels are chosen by in full ones (standard WebGPU, and an H200 through WebGPU and CUDA), and all kinds in deep ones.
func evaluatedProfiles() []string {
	switch {
	case depth.Of() < depth.Full:
		return []string{"portable"}
	case depth.Of() < depth.Deep:
		return []string{"portable", "h200-wgpu", "h200-cuda"}
	}
	return []string{"portable", "native", "sm_90", "h200-wgpu", "h200-cuda", "lavapipe", "cpu", "cpu-evaluator"}
}

// mayRace are programs whose own accesses race, and why that is right.
var mayRace = map[string]string{
	"testsuite/programs/derivatives/adjoints.fut": "its scatter writes one element twice, with equal values, which the language allows",
}

// What programs become for each profile has the right results, and no two accesses of its kernels race.
func TestProgramsPassOnEveryProfileWithoutRaces(t *testing.T) {
	for _, profile := range evaluatedProfiles() {
		e, err := conformance.Evaluated(profile)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(profile, func(t *testing.T) {
			for _, file := range programs(t) {
				name, err := filepath.Rel(root, file)
				if err != nil {
					t.Fatal(err)
				}
				t.Run(filepath.ToSlash(name), func(t *testing.T) {
					t.Parallel()
					for _, r := range conformance.Everywhere(file, []conformance.Executor{e}, conformance.Options{})[0] {
						allowed := mayRace[filepath.ToSlash(name)] != "" && strings.Contains(r.Reason, " has a race: ")
						if r.Status == conformance.Fail && !allowed {
							t.Errorf("%s %s %s", r.Kind, r.Entry, strings.TrimSpace(r.Case+": "+r.Reason))
						}
					}
				})
			}
		})
	}
}
