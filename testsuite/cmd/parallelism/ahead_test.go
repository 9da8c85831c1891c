package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skald/runtime/cpu"
	"skald/runtime/prim"
	"skald/runtime/value"
	"skald/targets"
)

// loopsAhead has loops whose rounds are recorded ahead, whole or their start, which end by what kernels compute, or by a counter, too.
const loopsAhead = `
def step (xs: []i32) = map (\x -> if x > 3 then x - x / 4 - 1 else 0) xs

entry whole (n: i64) (k: i32) =
  loop (xs, more, i) = (map i32.i64 (iota n), true, 0i32) while more && i < k do
    let ys = step xs
    in (ys, any (> 0) ys, i + 1)

entry sums (n: i64) (k: i32) =
  loop (xs, s, t, i) = (map i32.i64 (iota n), 1i32, 0i32, 0i32) while s > t && i < k do
    let ys = step xs
    in (ys, i32.sum ys, t + i32.maximum ys % 3, i + 1)

entry starts (n: i64) (k: i32) =
  loop (xs, more, i, sizes) = (map i32.i64 (iota n), true, 0i32, 0i64) while more && i < k do
    let big = filter (> 0) xs
    let m = length big
    let least = scan i32.min i32.highest big
    let ys = map2 (\x j -> if j < m then x - 1 - least[j] / 8 else 0) xs (iota n)
    in (ys, any (> 0) ys, i + 1, sizes * 3 + m)

entry nested (n: i64) (k: i32) =
  loop (xs, i) = (map i32.i64 (iota n), 0i32) while i < k do
    let (ys, _, _) = loop (xs, more, j) = (xs, true, 0i32) while more && j < i do
      let ys = step xs
      in (ys, any (> 5) ys, j + 1)
    in (map2 (\y x -> y + x + i) ys (map i32.i64 (iota n)), i + 1)
`

// What is recorded ahead changes no result.
func TestRoundsAheadChangeNoResult(t *testing.T) {
	path := filepath.Join(t.TempDir(), "loops.fut")
	if err := os.WriteFile(path, []byte(loopsAhead), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, profile := range []string{"h200-wgpu", "h200-cuda"} {
		m, err := findProfile(profile)
		if err != nil {
			t.Fatal(err)
		}
		open := func(func(cpu.Access)) *targets.Device { return m.Evaluated(cpu.Options{}) }
		for _, entry := range []string{"whole", "sums", "starts", "nested"} {
			ahead, plain := int64(0), int64(0)
			for _, n := range []int64{0, 300} {
				for _, k := range []int32{1, 6, 40} {
					args := []value.Value{value.Scalar(prim.MakeI64(n)), value.Scalar(prim.MakeI32(k))}
					got, err := call(path, entry, args, nil, open)
					if err != nil {
						t.Fatal(err)
					}
					want, err := call(path, entry, args, []string{"ahead"}, open)
					if err != nil {
						t.Fatal(err)
					}
					for i := range want.result {
						if d := cmp.Diff(want.result[i].String(), got.result[i].String()); d != "" {
							t.Errorf("%s: %s %d %d, result %d (-without +with):\n%s", profile, entry, n, k, i, d)
						}
					}
					ahead, plain = ahead+got.stats.Syncs, plain+want.stats.Syncs
				}
			}
			if ahead >= plain {
				t.Errorf("%s: %s waits %d times, and %d without recording ahead", profile, entry, ahead, plain)
			}
		}
	}
}
