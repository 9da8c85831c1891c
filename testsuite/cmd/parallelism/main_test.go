package main

import (
	"os"
	"path/filepath"
	"testing"

	"skald/runtime/prim"
	"skald/runtime/value"
)

// Arrays that are moved in maps are moved by as many threads as they have elements, not by one for each map's point.
func TestMovingArraysInMapsKeepsManyThreadsAtWork(t *testing.T) {
	const n, m = 3, 4096
	file := filepath.Join(t.TempDir(), "moves.fut")
	text := `entry transposed [l][n][m] (xsss: [l][n][m]i32) = map transpose xsss
entry copied [l][n][m] (xsss: [l][n][m]i32) = map (\xss -> let ys = copy xss[0] in (ys, scan (+) 0 xss[1])) xsss
entry joined [l][n][m] (xsss: [l][n][m]i32) = map (\xss -> scan (+) 0 xss[0] ++ xss[1]) xsss
entry scattered [l][n][m] (xsss: [l][n][m]i32) = map (\xss -> scatter (copy xss[0]) (map i64.i32 xss[1]) xss[0]) xsss
entry counted [l][n][m] (xsss: [l][n][m]i32) = map (\xss -> reduce_by_index (copy xss[0]) (+) 0 (map i64.i32 xss[1]) xss[0]) xsss
entry updated [l][n][m] (xsss: [l][n][m]i32) = map (\xss -> loop yss = copy xss for i < n - 1 do yss with [i + 1] = scan (+) 0 yss[i]) xsss
entry blocks [l][n][m] (xsss: [l][n][m]i32) = map (\xss -> tabulate_3d 16 16 16 (\i j k -> xss[0, i] * xss[0, j] + xss[0, k])) xsss
entry carried [l][n][m] (xsss: [l][n][m]i32) = map (\xss -> loop ys = xss[0] for _i < 2 do map2 (+) ys (rotate 1 ys)) xsss
`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, entry := range []string{"transposed", "copied", "joined", "scattered", "counted", "updated", "blocks", "carried"} {
		t.Run(entry, func(t *testing.T) {
			r, err := run(file, entry, []value.Value{value.New(prim.I32, n, 2, m)}, gpuUnits)
			if err != nil {
				t.Fatal(err)
			}
			if a := r.fewest(m); a == nil || a.Threads < 128*n {
				t.Errorf("%+v has the fewest threads at work of the launches with %d accesses or more; at least %d are expected", a, m, 128*n)
			}
		})
	}
}

// Work inside of maps over few points is shared out where the work is in loops, below branches, or on windows whose sizes are computed.
func TestWorkInMapsOverFewPointsIsSharedOut(t *testing.T) {
	const few, block = 4, 32
	file := filepath.Join(t.TempDir(), "few.fut")
	text := `def solve [b] (row: [b]f32) = loop row = copy row for i < b do row with [i] = row[i] - (loop s = 0 for k < i do s + row[k] * 0.5)
entry solved [m] (blocks: [m][32][32]f32) = map (map solve) blocks
entry columns [m] (blocks: [m][32][32]f32) = map (\block -> transpose (map solve (transpose block))) blocks
entry halves [m][n] (blocks: [m][n][n]f32) =
  map (\block -> if n < 8 then map (\row -> row[0]) block
                 else let k = n / i64.max 1 (n / 8) in tabulate n (\i -> loop s = 0 for j < k do s + block[i, j])) blocks
entry windows [m][n] (blocks: [m][n][n]f32) =
  tabulate m (\k -> let i = k % 2 in let b = n - 1
                    let window = blocks[k, i:i + b, 1:1 + b] :> [b][b]f32
                    let sums = scan (+) 0 window[0]
                    in (sums, window[1:b, 1:b]))
`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, entry := range []string{"solved", "columns", "halves", "windows"} {
		t.Run(entry, func(t *testing.T) {
			r, err := run(file, entry, []value.Value{value.New(prim.F32, few, block, block)}, gpuUnits)
			if err != nil {
				t.Fatal(err)
			}
			if a := r.fewest(1000); a == nil || a.Threads < few*(block-1) {
				t.Errorf("%+v has the fewest threads at work of the launches with 1000 accesses or more", a)
			}
		})
	}
}
