package compiler_test

import (
	"os"
	"strings"
	"testing"

	"skald/compiler"
	"skald/runtime/cpu"
	"skald/runtime/value"
)

// TestScansInOnePassAreRight evaluates kernels that look back, with a search for races.
func TestScansInOnePassAreRight(t *testing.T) {
	text, err := os.ReadFile("testsuite/programs/soacs/scan-in-one-pass.fut")
	if err != nil {
		t.Fatal(err)
	}
	dev := compiler.DeviceProfile("sm_90").Evaluated(cpu.Options{Races: true})
	on, err := compile(t, string(text)).On(dev)
	if err != nil {
		t.Fatal(err)
	}
	defer on.Close()
	for _, n := range []int64{0, 1, 8192, 8193, 40_000} {
		numbers, err := on.Call("numbers", []value.Value{value.FromSlice([]int64{n}).Row(0)})
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range []string{"sums", "maxs", "pairs", "mul", "kept"} {
			got, err := on.Call(entry, numbers)
			if err != nil || len(got) != 1 || got[0].String() != "true" {
				t.Errorf("%s of %d elements: %v, %v", entry, n, got, err)
			}
		}
	}
}

// TestScansInOnePass finds which scans look back at the tiles before theirs: on devices where workgroups may wait for each other, those
// of arrays in memory and of few words that cannot fail.
func TestScansInOnePass(t *testing.T) {
	for _, c := range []struct {
		what, source, profile string
		want                  bool
	}{
		{"a sum", "def main (xs: []i32) = scan (+) 0 xs", "sm_90", true},
		{"a maximum of floats", "def main (xs: []f32) = scan f32.max f32.lowest xs", "sm_90", true},
		{"a pair", "def main (xs: []i32) = scan (\\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (map (\\x -> (x, x)) xs)", "sm_90", true},
		{"a recorded GPU", "def main (xs: []i32) = scan (+) 0 xs", "h200-cuda", true},
		{"what the kernel makes", "def main (n: i64) = scan (+) 0 (map (\\i -> i32.i64 i % 7) (iota n))", "sm_90", false},
		{"a filter", "def main (xs: []i32) = filter (> 0) xs", "sm_90", true},
		{"four words", "def main (xs: []i32) = scan (\\(a, b, c, d) (e, f, g, h) -> (a + e, b + f, c + g, d + h)) (0, 0, 0, 0) " +
			"(map (\\x -> (x, x, x, x)) xs)", "sm_90", false},
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
