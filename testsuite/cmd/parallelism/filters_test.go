package main

import (
	"os"
	"path/filepath"
	"testing"

	"skald/runtime/value"
)

// What alone reads the result of a filter goes over all elements, so that no array is between the two: Note [Readers of filters] in
// middle/fuse.
func TestReadersOfFiltersNeedNoArrayBetween(t *testing.T) {
	file := filepath.Join(t.TempDir(), "filters.fut")
	text := `entry mapped (xs: []i32) = map (\x -> x * x + 1) (filter (> 0) xs)
entry reduced (xs: []i32) = i32.sum (filter (> 0) xs)
entry counted (xs: []i32) = let ys = filter (> 0) xs in (i32.sum ys, length ys)
entry binned [n] (xs: [n]i32) =
  let ys = filter (> 0) xs
  in reduce_by_index (replicate 10 0i32) (+) 0 (map (\y -> i64.i32 y % 10) ys) ys
entry rounds (xs: []i32) = loop ys = xs while length ys > 2 do map (/ 2) (filter (\y -> y % 2 == 0) ys)
`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	xs := make([]int32, 64)
	for i := range xs {
		xs[i] = int32(i)
	}
	for _, c := range []struct {
		entry           string
		launches, bytes int64
	}{
		{"mapped", 1, 1280}, // two if the map is apart
		{"reduced", 1, 768},
		{"counted", 1, 1024},
		{"binned", 2, 768},  // one fills the bins
		{"rounds", 5, 1280}, // one a round, not two
	} {
		r, err := runOn("h200-wgpu", file, c.entry, []value.Value{value.FromSlice(xs)}, 0)
		if err != nil {
			t.Fatal(err)
		}
		if r.stats.Launches > c.launches || r.stats.Peak > c.bytes {
			t.Errorf("%s: %d launches and %d bytes, at most %d and %d are expected", c.entry, r.stats.Launches, r.stats.Peak, c.launches, c.bytes)
		}
	}
}
