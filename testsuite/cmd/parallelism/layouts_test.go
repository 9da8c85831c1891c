package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"skald/runtime/prim"
	"skald/runtime/value"
)

// With the layout pass neighbouring threads touch few more bytes in sectors than they ask for; without it each touches sectors of its own.
// The results are the same.
func TestArraysLieAsNeighbouringThreadsAccessThem(t *testing.T) {
	file := filepath.Join(t.TempDir(), "layouts.fut")
	text := `entry rows [n][d] (xss: [n][d]f32) (k: i64) : [n]f32 =
  #[sequential_inner] map (\xs -> loop y = 0 for j < k do loop y for i < d do y + (xs[i] - f32.i64 j) ** 2) xss
entry repeated [n][d] (xss: [n][d]f32) (k: i64) : [n]f32 =
  loop ys = replicate n 0 for _i < k do
    #[sequential_inner] map2 (\xs y -> loop y for _j < 2i64 do loop y for i < d do y + xs[i]) xss ys
entry columns [n][d] (xss: [n][d]f32) (k: i64) : ([d]i32, [d]i32) =
  let maps xs = map (\x -> (i32.f32 x, i32.f32 (x * 2) + i32.i64 k)) xs
  in unzip (map (\xs -> reduce (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (maps xs)) (transpose xss))
entry made [d][n] (xss: [d][n]f32) (k: i64) : [64][n]f32 =
  transpose (#[sequential_inner] map (\x -> loop ys = replicate 64 x for i < 63 do ys with [i + 1] = ys[i] + f32.i64 k) xss[0])
`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	m, err := findProfile("h200-wgpu")
	if err != nil {
		t.Fatal(err)
	}
	facts := *m.Facts
	facts.Units = trafficUnits
	m = m.Target.Model(&facts)
	const n, d = 4096, 64
	xs := make([]float32, n*d)
	for i := range xs {
		xs[i] = float32(i%97) / 8
	}
	args := []value.Value{value.FromSlice(xs, n, d), value.Scalar(prim.MakeI64(64))}
	long := []value.Value{value.FromSlice(slices.Repeat(xs, 5)[:(5*n-3)*d], 5*n-3, d), value.Scalar(prim.MakeI64(64))}
	for _, entry := range []string{"rows", "repeated", "made", "columns"} {
		t.Run(entry, func(t *testing.T) {
			args := args
			if entry == "columns" {
				args = long
			}
			with, without := trafficOf(t, m, file, entry, args), trafficOf(t, m, file, entry, args, "layout")
			for i, x := range with.result {
				if !value.Equal(x, without.result[i]) {
					t.Error("results differ")
				}
			}
			if x, y := with.spread(), without.spread(); x > 1.5 || y < 3 {
				t.Errorf("%.2f bytes in sectors for each byte, %.2f without the pass", x, y)
			}
		})
	}
}

// spread is how many bytes in sectors threads touch for each byte that they ask for.
func (r *report) spread() float64 {
	var bytes, sectors int64
	for _, u := range r.arrays() {
		bytes += u.Bytes
		sectors += u.Sectors
	}
	return float64(sectors) / float64(bytes)
}
