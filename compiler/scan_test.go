package compiler_test

import (
	"strings"
	"testing"

	"skald/compiler"
)

// TestScansInOnePass finds which scans look back at the tiles before theirs: on devices where workgroups may wait for each other, those
// of a few words that cannot fail.
func TestScansInOnePass(t *testing.T) {
	for _, c := range []struct {
		what, source, profile string
		want                  bool
	}{
		{"a sum", "def main (xs: []i32) = scan (+) 0 xs", "sm_90", true},
		{"a maximum of floats", "def main (xs: []f32) = scan f32.max f32.lowest xs", "sm_90", true},
		{"a pair", "def main (xs: []i32) = scan (\\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (map (\\x -> (x, x)) xs)", "sm_90", true},
		{"a recorded GPU", "def main (xs: []i32) = scan (+) 0 xs", "h200-cuda", true},
		{"WebGPU", "def main (xs: []i32) = scan (+) 0 xs", "h200-wgpu", false},
		{"64 bits", "def main (xs: []i64) = scan (+) 0 xs", "sm_90", false},
		{"a check", "def main (xs: []i32) = scan (+) 0 (map (\\x -> assert (x > 0) x) xs)", "sm_90", false},
		{"a division, which may fail", "def main (xs: []i32) = scan (+) 0 (map (\\x -> 100 / x) xs)", "sm_90", false},
	} {
		t.Run(c.what, func(t *testing.T) {
			p := compile(t, c.source)
			low, err := p.Lower(compiler.DeviceProfile(c.profile))
			if err != nil {
				t.Fatal(err)
			}
			once := false
			for _, k := range low.Kernels {
				once = once || strings.Contains(k.Name, "scan_once")
				if strings.Contains(k.Name, "scan_once") && k.HasAssert() {
					t.Errorf("%s has an assertion: what waits for it would wait for ever", k.Name)
				}
			}
			if once != c.want {
				t.Errorf("in one pass: %v", once)
			}
		})
	}
}
