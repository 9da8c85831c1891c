package main

import (
	"os"
	"path/filepath"
	"testing"

	"skald/runtime/prim"
	"skald/runtime/value"
)

// Scans of few long rows and what is computed of them are one kernel, unless that makes bytes; reductions beside them are not in the same
// workgroups, which are few.
func TestMapsOfScansOfRowsSaveLaunches(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rows.fut")
	text := `entry mapped (xss: [][]i32) = map (\xs -> map2 (-) (scan (+) 0 xs) xs) xss
entry reduced (xss: [][]i32) = unzip (map (\xs -> (i32.maximum xs, scan (+) 0 xs)) xss)
entry narrowed (xss: [][]i32) = map (\xs -> map u8.i32 (scan (+) 0 xs)) xss
`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	const n, m = 10, 20_000
	xss := value.New(prim.I32, n, m)
	for i := range n * m {
		xss.SetWord(i, uint64(i%7))
	}
	h200, err := findProfile("h200-wgpu")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range []string{"mapped", "reduced", "narrowed"} {
		with, without := trafficOf(t, h200, file, entry, []value.Value{xss}), trafficOf(t, h200, file, entry, []value.Value{xss}, "fuse-posts")
		for i, r := range with.result {
			if !value.Equal(r, without.result[i]) {
				t.Errorf("%s: results differ", entry)
			}
		}
		launches, bytes := with.stats.Launches, with.bytes()
		if saves := launches < without.stats.Launches && bytes < without.bytes(); saves != (entry == "mapped") {
			t.Errorf("%s: %d launches and %d bytes, %d and %d without the pass",
				entry, launches, bytes, without.stats.Launches, without.bytes())
		}
	}
}
