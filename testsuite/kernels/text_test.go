package kernels

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"skald/runtime/cpu"
	"skald/runtime/cuda"
	"skald/runtime/device"
	"skald/targets"
)

// What `skald build --emit` prints of each example is one file for a compiler: nothing is in it twice.
func TestEmittedTextsCompile(t *testing.T) {
	each := func(t *testing.T, emit, profile string, check func(t *testing.T, text string)) {
		t.Helper()
		for _, file := range programs(t, []string{"../../examples"}) {
			t.Run(strings.TrimPrefix(file, "../../"), func(t *testing.T) {
				text, err := compile(t, file).KernelText(targets.FindProfile(profile).Emitting(emit))
				if err != nil {
					t.Fatal(err)
				}
				check(t, text)
			})
		}
	}
	t.Run("c", func(t *testing.T) {
		gcc, err := exec.LookPath("gcc")
		if err != nil {
			t.Skipf("SKIPPED: %v", err)
		}
		each(t, "c", "cpu", func(t *testing.T, text string) {
			t.Helper()
			cmd := exec.Command(gcc, append(cpu.Flags(), "-o", filepath.Join(t.TempDir(), "module.so"), "-")...)
			cmd.Stdin = strings.NewReader(text)
			if said, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, said)
			}
		})
	})
	t.Run("cuda", func(t *testing.T) {
		nvrtc, err := cuda.OpenCompiler()
		if err != nil {
			t.Skipf("SKIPPED: %v", err)
		}
		each(t, "cuda", first, func(t *testing.T, text string) {
			t.Helper()
			if _, err := nvrtc.Compile(&device.KernelSpec{Name: "all", Source: text}, first); err != nil {
				t.Error(err)
			}
		})
	})
	t.Run("wasm", func(t *testing.T) {
		each(t, "wasm", "cpu", func(t *testing.T, text string) {
			t.Helper()
			if n := strings.Count("\n"+text, "\n(module"); n != 1 {
				t.Errorf("it has %d modules", n)
			}
		})
	})
}
