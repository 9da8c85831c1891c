package main

import (
	"os"
	"path/filepath"
	"testing"

	"skald/runtime/cpu"
	"skald/runtime/prim"
	"skald/runtime/value"
	"skald/targets"
)

// Threads that access neighbouring elements touch as many bytes in sectors as they ask for; where each goes along a row of its own, each
// touches a sector of 32 bytes for each element of four.
func TestTrafficSaysWhatIsFarApart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "traffic.fut")
	text := `entry beside [n][d] (xss: [n][d]f32) : [n][d]f32 = map (map (+ 1)) xss
entry rows [n][d] (xss: [n][d]f32) : [n]f32 =
  #[sequential_inner] map (\xs -> loop y = 0 for j < 8i64 do loop y for i < d do y + (xs[i] - f32.i64 j) ** 2) xss
`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	m, err := findProfile("h200-wgpu")
	if err != nil {
		t.Fatal(err)
	}
	for entry, want := range map[string]float64{"beside": 1, "rows": 8} {
		r, err := call(file, entry, []value.Value{value.New(prim.F32, 1024, 64)}, nil, func(watch func(cpu.Access)) *targets.Device {
			return m.Evaluated(cpu.Options{Watch: watch})
		})
		if err != nil {
			t.Fatal(err)
		}
		var bytes, sectors int64
		for _, u := range r.arrays() {
			bytes += u.Bytes
			sectors += u.Sectors
		}
		if spread := float64(sectors) / float64(bytes); spread < 0.95*want || spread > 1.05*want {
			t.Errorf("%s: %.2f bytes in sectors for each byte, want %.0f: %v", entry, spread, want, r.arrays())
		}
	}
}
