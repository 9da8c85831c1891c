package compiler_test

import (
	"os"
	"path/filepath"
	"testing"

	"skald/compiler"
)

// Whatever device a program was begun for, on the one that opens it is what it would have been.
func TestProgramsThatAreBegunAreThoseOfTheDevice(t *testing.T) {
	for _, name := range []string{"matmul", "histogram", "mss"} {
		text, err := os.ReadFile(filepath.Join("examples", name+".fut"))
		if err != nil {
			t.Fatal(err)
		}
		p := compile(t, string(text))
		for _, profile := range []string{"h200-cuda", "h200-wgpu", "portable", "lavapipe", "cpu"} {
			m := compiler.DeviceProfile(profile)
			want, err := built(t, p, "one").LowText(m)
			if err != nil {
				t.Fatal(err)
			}
			for _, expected := range []string{"auto", "webgpu:1", "cuda", "cpu", "nothing"} {
				begun := built(t, p, "one")
				begun.Begin(compiler.DeviceOptions{Name: expected})
				for range 2 {
					if got, err := begun.LowText(m); err != nil || got != want {
						t.Errorf("%s for %s, begun for %s, is another: %v\n%s", name, profile, expected, err, got)
					}
				}
			}
		}
	}
}

// Where a program ran before, its result is expected to be kept, and nothing is begun.
func TestProgramsThatAreKeptAreNotBegun(t *testing.T) {
	t.Setenv("SKALD_CACHE", t.TempDir())
	dev := openCPU(t)
	p := compile(t, keptSource)
	begins := func(p *compiler.Program) bool {
		p.Begin(compiler.DeviceOptions{})
		return compiler.Begun(p)
	}
	if !begins(built(t, p, "one")) {
		t.Error("nothing is begun the first time")
	}
	takes(t, built(t, p, "one"), dev, keptInput, keptWant)
	if begins(built(t, p, "one")) {
		t.Error("it is begun again")
	}
	if !begins(built(t, p, "two")) {
		t.Error("nothing is begun for another build")
	}
	less := built(t, p, "one")
	if err := less.LeaveOut([]string{"simplify-memory"}); err != nil {
		t.Fatal(err)
	}
	if !begins(less) {
		t.Error("nothing is begun without a pass")
	}
	sections, _, err := p.Keep(compiler.NewRunner([]byte("runner")), compiler.DeviceProfile("sm_90"))
	if err != nil {
		t.Fatal(err)
	}
	if begins(built(t, p, "three", sections...)) {
		t.Error("it is begun although the executable has it")
	}
}
