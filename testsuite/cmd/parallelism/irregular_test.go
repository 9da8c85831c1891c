package main

import (
	"os"
	"path/filepath"
	"testing"

	"skald/runtime/value"
)

// Rows of different lengths keep many threads at work, although few points have them: a thread reduces eight elements. The host waits once
// for the lengths of rows, and once for the result.
func TestRowsOfDifferentLengthsKeepManyThreadsAtWork(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rows.fut")
	text := `entry reduced [n] (ns: [n]i64) : [n]i64 = map (\m -> i64.sum (map (% 7) (iota m))) ns
entry scanned [n] (ns: [n]i64) : [n]i64 = map (\m -> i64.maximum (scan (+) 0 (map (% 7) (iota m)))) ns
entry mapped [n] (ns: [n]i64) : [n]i64 =
  map (\m -> let xs = map (% 7) (iota m)
             let mean = i64.sum xs / i64.max 1 m
             in i64.sum (map (\x -> (x - mean) ** 2) xs)) ns
entry filtered [n] (ns: [n]i64) : [n]i64 = map (\m -> i64.sum (filter (> 3) (map (% 7) (iota m)))) ns
entry joined [n] (ns: [n]i64) : [n]i64 = map (\m -> i64.maximum (scan (+) 0 (iota m ++ iota m))) ns
entry nested [n] (ns: [n]i64) : [n]i64 = map (\m -> i64.sum (map (\i -> i64.sum (map (% 7) (iota (i % 8)))) (iota m))) ns
entry shared [n] (ns: [n]i64) : [n]i64 =
  map (\m -> let xs = map (% 7) (iota m)
             let some = filter (\x -> x % 3 == 1) xs
             let s = i64.sum (map (\x -> if x % 2 == 0 then x else 1) xs)
             in i64.sum (map (* s) some)) ns
entry repeated [n] (ns: [n]i64) : [n]i64 = map (\m -> loop a = 0 for i < 3 do a + i64.sum (map (% 7) (iota (m + i)))) ns
`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		entry string
		waits int64
	}{{"reduced", 2}, {"scanned", 2}, {"mapped", 2}, {"filtered", 3}, {"joined", 2}, {"nested", 3}, {"shared", 3}, {"repeated", 4}} {
		t.Run(c.entry, func(t *testing.T) {
			rows := []int64{20_000, 0, 7, 4_000, 1, 12_000, 0}
			r, err := runOn("h200-wgpu", file, c.entry, []value.Value{value.FromSlice(rows)}, 0)
			if err != nil {
				t.Fatal(err)
			}
			if a := r.fewest(30_000); a == nil || a.Threads < 30_000/16 {
				t.Errorf("%+v has the fewest threads at work of the launches with 30000 accesses or more", a)
			}
			if r.stats.Syncs > c.waits {
				t.Errorf("the host waits %d times, not %d", r.stats.Syncs, c.waits)
			}
			t.Logf("%d launches, %d waits", r.stats.Launches, r.stats.Syncs)
		})
	}
}
