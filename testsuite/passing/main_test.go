package main

import (
	"os"
	"path/filepath"
	"testing"
)

// A device that ran no kernel has shown nothing, even where every case passes.
func TestAConfigurationWithoutKernelsFails(t *testing.T) {
	for _, c := range []struct {
		name, program string
		ok            bool
	}{
		{"scalars alone", "def main (x: i32) = x + 1\n-- ==\n-- input { 1 } output { 2 }\n", false},
		{"a kernel", "def main (xs: []i32) = map (+ 1) xs\n-- ==\n-- input { [1, 2] } output { [2, 3] }\n", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "a.fut")
			if err := os.WriteFile(file, []byte(c.program), 0o600); err != nil {
				t.Fatal(err)
			}
			passed, ok, err := configuration("cpu", []string{file})
			if err != nil || passed == 0 {
				t.Fatalf("%d cases pass: %v", passed, err)
			}
			if ok != c.ok {
				t.Errorf("accepted: %v, want %v", ok, c.ok)
			}
		})
	}
}

func TestAConfigurationWithAFailureFails(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.fut")
	if err := os.WriteFile(file, []byte("def main (xs: []i32) = map (+ 1) xs\n-- ==\n-- input { [1] } output { [3] }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := configuration("cpu", []string{file}); ok || err != nil {
		t.Errorf("accepted: %v, error: %v", ok, err)
	}
}
