package main

import (
	"os"
	"path/filepath"
	"testing"

	"skald/runtime/value"
)

// Maps, and reductions, that share no input and follow each other are one launch: Note [Kernels side by side] in middle/fuse.
func TestKernelsThatFollowEachOtherSaveLaunches(t *testing.T) {
	file := filepath.Join(t.TempDir(), "adjacent.fut")
	text := `entry bounds [n] (xs: [n]i32) (ys: [n]i32) = (i32.minimum xs, i32.maximum xs, i32.minimum ys, i32.maximum ys)
entry rounds [n] (xs: [n]i32) (ys: [n]i32) = loop (us, vs) = (xs, ys) for _i < 5i32 do (map (* 2) us, map (\v -> v - 3) vs)
`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	xs := value.FromSlice(make([]int32, 64))
	for _, c := range []struct {
		entry    string
		launches int64
	}{
		{"bounds", 1},
		{"rounds", 5},
	} {
		r, err := runOn("h200-wgpu", file, c.entry, []value.Value{xs, xs}, 0)
		if err != nil {
			t.Fatal(err)
		}
		if r.stats.Launches > c.launches {
			t.Errorf("%s: %d launches, at most %d are expected", c.entry, r.stats.Launches, c.launches)
		}
	}
}
