package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"skald/runtime/value"
)

// What reads the result of a filter goes over all elements, so that no array is between, and the host waits for results alone: Note
// [Readers of filters] in middle/fuse.
func TestReadersOfFiltersNeedNoArrayBetween(t *testing.T) {
	file := filepath.Join(t.TempDir(), "filters.fut")
	text := `entry mapped (xs: []i32) = map (\x -> x * x + 1) (filter (> 0) xs)
entry reduced (xs: []i32) = i32.sum (filter (> 0) xs)
entry counted (xs: []i32) = let ys = filter (> 0) xs in (i32.sum ys, length ys)
entry binned [n] (xs: [n]i32) =
  let ys = filter (> 0) xs
  in reduce_by_index (replicate 10 0i32) (+) 0 (map (\y -> i64.i32 y % 10) ys) ys
entry several (xs: []i32) = let ys = filter (> 0) xs in (map (* 2) ys, i32.sum ys, scan (+) 0 ys)
entry marked [n] (mask: *[n]i32) =
  let is = filter (\i -> mask[i] > 0) (iota n) in (scatter mask is (map (const 0) is), map i32.i64 is)
entry filters (xs: []i32) = filter (< 40) (filter (> 20) (filter (> 10) xs))
entry parts (xs: []i32) = let (ys, zs) = partition (> 20) xs in (ys, map (+ 1) ys, zs)
entry two (xs: []i32) = (i32.sum (filter (> 20) xs), i32.sum (filter (< 5) xs))
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
		entry                  string
		launches, bytes, waits int64
	}{
		{"mapped", 1, 1280, 2}, // two if the map is apart
		{"reduced", 1, 768, 1},
		{"counted", 1, 1024, 1},
		{"binned", 2, 768, 1},   // one fills the bins
		{"several", 1, 2048, 2}, // not two
		{"marked", 1, 1536, 2},  // not three
		{"filters", 1, 1280, 2}, // not three, nor four waits
		{"parts", 2, 1536, 2},   // not three
		{"two", 1, 1024, 1},     // not three, nor three waits
		{"rounds", 5, 1280, 6},  // one a round, not two
	} {
		r, err := runOn("h200-wgpu", file, c.entry, []value.Value{value.FromSlice(xs)}, 0)
		if err != nil {
			t.Fatal(err)
		}
		got := []int64{r.stats.Launches, r.stats.Peak, r.stats.Syncs}
		if want := []int64{c.launches, c.bytes, c.waits}; !slices.Equal(got, want) {
			t.Errorf("%s: launches, bytes and waits are %d, not %d", c.entry, got, want)
		}
	}
}
