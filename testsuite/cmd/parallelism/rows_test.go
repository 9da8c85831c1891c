package main

import (
	"os"
	"path/filepath"
	"testing"

	"skald/runtime/prim"
	"skald/runtime/value"
)

// Rows that are few and long are shared out, each among some workgroups: Notes [Scans] and [Reductions of segments].
func TestFewLongRowsSaturateTheDevice(t *testing.T) {
	const rows, long, threads = 4, 1 << 16, 4096
	text := `entry sums [m][n] (xss: [m][n]i32) = map (scan (+) 0) xss
entry longs [m][n] (xss: [m][n]i32) = map (\xs -> scan (+) 0 (map i64.i32 xs)) xss
entry pairs [m][n] (xss: [m][n]i32) =
  map (\xs -> scan (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (map (\x -> (x, x + 1)) xs) |> unzip) xss
entry divided [m][n] (xss: [m][n]i32) = map (scan (\a b -> if b == 0 then a else (a + b) / b) 0) xss
entry inner [m][n] (xss: [m][n]i32) = map (map (scan (+) 0)) [xss, xss]
entry mapped [m][n] (xss: [m][n]i32) = map (\xs -> map2 (\s x -> s * 2 + x) (scan (+) 0 xs) xs) xss
entry columns [m][n] (xss: [m][n]i32) = map (scan (+) 0) (transpose (unflatten (flatten xss :> [n * m]i32)))
entry vectors [m][n] (xss: [m][n]i32) = scan (map2 (+)) (replicate 4 0) (transpose (xss[:4] :> [4][n]i32))
entry inner_vectors [m][n] (xss: [m][n]i32) = map (\xs -> scan (map2 (+)) [0, 0] (map (\x -> [x, x + 1]) xs)) xss
entry summed_vectors [m][n] (xss: [m][n]i32) = map (\xs -> reduce (map2 (+)) [0, 0] (map (\x -> [x, x + 1]) xs)) xss
entry reduced [m][n] (xss: [m][n]i32) = map (\xs -> i32.maximum (scan (+) 0 xs)) xss
entry both [m][n] (xss: [m][n]i32) = map (\xs -> let sum = i32.sum xs in map (\x -> x - sum) (scan (+) 0 xs)) xss
entry sorted [m][n] (xss: [m][n]i32) = map (\xs -> let (as, bs) = partition (\x -> x % 3 == 0) xs in as ++ bs :> [n]i32) xss
entry filtered [m][n] (xss: [m][n]i32) = map (\xs -> let ys = filter (\x -> x % 3 == 0) xs in i32.sum ys + i32.i64 (length ys)) xss
entry largest [m][n] (xss: [m][n]i32) =
  map (\xs -> reduce_comm (\(a, i) (b, j) -> if a > b || a == b && i < j then (a, i) else (b, j)) (i32.lowest, n) (zip xs (iota n))) xss
  |> unzip
entry counted [m][n] (xss: [m][n]i32) = map (\xs -> hist (+) 0 64 (map (\x -> i64.i32 x % 64) xs) xs) xss
entry rounds [m][n] (xss: [m][n]i32) = map (\xs -> loop xs for i < 2 do scan (+) i (map (% 1000) xs)) xss
entry rounds_of_any [m][n] (xss: [m][n]i32) =
  map (\xs -> loop xs for i < (if n == 0 then 0 else 2) do scan (+) i (map (% 1000) xs)) xss
entry rounds_of_numbers [m][n] (xss: [m][n]i32) =
  map (\xs -> loop is = iota n for _i < 2 do scan (+) 0 (map2 (\i x -> (i + i64.i32 x) % 1000) is xs)) xss
`
	for _, entry := range []string{
		"sums", "longs", "pairs", "divided", "inner", "mapped", "columns", "vectors", "inner_vectors",
		"summed_vectors", "reduced", "both", "sorted", "filtered", "largest", "counted", "rounds", "rounds_of_any",
		"rounds_of_numbers",
	} {
		for _, profile := range []string{"h200-wgpu", "h200-cuda"} {
			saturate(t, profile, text, entry, value.New(prim.I32, rows, long), long, threads)
		}
	}
}

// Where the arithmetic that a device lacks is too much code for kernels with barriers, threads share such rows.
func TestFewLongRowsOfLongCodeSaturateTheDevice(t *testing.T) {
	const rows, long, threads = 4, 1 << 17, 4096
	text := `def f (x: f64) = x * x + 1 / (1 + x * x)
entry sums [m][n] (xss: [m][n]f64) = map (\xs -> f64.sum (map f xs)) xss
entry composed [m][n] (xss: [m][n]f64) =
  map (\xs -> reduce (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (map (\x -> (f x, x)) xs)) xss |> unzip
entry scanned [m][n] (xss: [m][n]f64) = map (\xs -> scan (+) 0 (map f xs)) xss
entry inner [m][n] (xss: [m][n]f64) = map (map (\xs -> scan (+) 0 (map f xs))) [xss, xss]
entry mapped [m][n] (xss: [m][n]f64) = map (\xs -> map2 (\s x -> s * 2 + x) (scan (+) 0 (map f xs)) xs) xss
`
	for _, entry := range []string{"sums", "composed", "scanned", "inner", "mapped"} {
		for _, profile := range []string{"portable", "apple"} {
			saturate(t, profile, text, entry, value.New(prim.F64, rows, long), long, threads)
		}
	}
}

// saturate tests that each launch of an entry point of a program, with so many accesses or more, has so many threads at work on a device.
func saturate(t *testing.T, profile, text, entry string, arg value.Value, accesses, threads int64) {
	t.Run(entry+"/"+profile, func(t *testing.T) {
		t.Parallel()
		file := filepath.Join(t.TempDir(), "rows.fut")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		r, err := runOn(profile, file, entry, []value.Value{arg}, 0)
		if err != nil {
			t.Fatal(err)
		}
		if a := r.fewest(accesses); a == nil || a.Threads < threads {
			t.Errorf("%+v has the fewest threads at work of the launches with %d accesses or more; at least %d are expected", a, accesses, threads)
		}
	})
}

// Rows that a branch pads to one size, which depends on their length alone, are worked on together, and the host waits for their results
// alone: Note [Branches that decide sizes] in package simplify.
func TestRowsThatArePaddedAlikeAreRegular(t *testing.T) {
	const rows, long, launches = 64, 1000, 4
	r, err := runOn("h200-wgpu", "../../programs/nested/padded-alike.fut", "padded", []value.Value{value.New(prim.I32, rows, long)}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if r.stats.Launches > launches || r.stats.Syncs > 1 {
		t.Errorf("%d launches and %d waits; at most %d and 1 are expected", r.stats.Launches, r.stats.Syncs, launches)
	}
}
