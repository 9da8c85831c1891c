package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// waitingPrograms have loops that the host runs and that need what kernels compute: conditions, sizes, and numbers in branches.
const waitingPrograms = `
entry condition (xs: []i64) : []i64 = loop ys = copy xs while any (> 9) ys do map (/ 2) ys
entry nearest [n] [k] (xs: [n]i32) (starts: [k]i32) : []i32 =
  (loop (means, at, moves) = (starts, replicate n k, true) while moves do
     let closer (i, d) (j, mean) (x: i32) = if i32.abs (x - mean) < d then (j, i32.abs (x - mean)) else (i, d)
     let near = map (\x -> (foldl (\acc m -> closer acc m x) (0, i32.highest) (zip (iota k) means)).0) xs
     let sums = hist (+) 0 k near xs
     let counts = hist (+) 0 k near (replicate n 1)
     in (map2 (\s c -> s / i32.max 1 c) sums counts, near, any id (map2 (!=) near at))).0
entry size (xs: []i64) : []i64 = loop ys = copy xs while length ys > 2 do map (/ 2) (filter (\y -> y % 2 == 0) ys)
entry condition_and_size (xs: []i64) : []i64 =
  (loop (ys, more) = (copy xs, true) while more do
     let zs = map (/ 2) (filter (\y -> y % 2 == 0) ys)
     in (zs, any (> 9) zs)).0
entry number_in_branches (xs: []i64) (k: i64) : []i64 =
  (loop (ys, i) = (copy xs, 0) while i < k do
     let s = i64.sum ys
     let t = if i == 3 then 7 else s
     let zs = if t > 100 then map (/ 2) ys else map (+ i) ys
     in (zs, if i > 5 then i + i64.max 1 (s % 5) else i + i64.max 1 (s % 3))).0
entry sizes_of_two_filters (xs: []i64) : []i64 =
  loop ys = copy xs while length ys > 8 do
    let small = filter (< 50) ys
    let large = filter (>= 50) ys
    in (map (+ 1) small)[0:length small / 2] ++ (map (/ 2) large)[0:length large / 2]
entry size_and_last_of_scan (xs: []i64) : []i64 =
  loop ys = copy xs while length ys > 8 do
    let zs = filter (\y -> y % 3 > 0) ys
    let sums = scan (+) 0 (map (% 3) zs)
    in map (+ 1) (iota (last sums / 2))
entry sum_of_what_is_kept (xs: []i64) : i64 =
  (loop (ys, n) = (xs, 0) while length ys > 0 do
     let new = replicate (i64.sum (map (\y -> xs[y]) ys)) 1
     in (filter (> 0) (map (\y -> y / 2) ys), n + i64.sum new)).1
entry bins_of_what_is_kept (xs: []i64) : []i64 =
  loop ys = copy xs while length ys > 8 do
    let zs = filter (\y -> y % 3 > 0) ys
    let used = hist (+) 0 100 zs (map (const 1) zs)
    in map (+ length (filter (> 3) used)) zs
entry distinct_of_what_is_kept (xs: []i64) : []i64 =
  loop ys = copy xs while length ys > 8 do
    let zs = filter (\y -> y % 3 > 0) ys
    let first = hist i64.min (length zs) 100 zs (indices zs)
    in map (+ 1) (map (.1) (filter (\(i, z) -> first[z] == i) (zip (indices zs) zs)))
entry parts (xs: []i64) : i64 =
  (loop (ys, n) = (xs, 0) while length ys > 0 do
     let mean = i64.sum ys / length ys
     let (low, high) = partition (<= mean) ys
     let new = scan (+) 0 (replicate (mean + length low) 1)
     in (high, n + last new)).1
entry loop_in_loop (xs: []i64) (k: i64) : []i64 =
  loop zs = copy xs for i < k do
    let (ys, _) =
      loop (ys, more) = (filter (\z -> z % 4 <= i) zs, true) while more do
        let s = i64.sum ys
        in if s > 60 then (filter (\y -> y * length ys < s) ys, true) else (ys, false)
    in map (+ length ys) zs
entry number_known_before (xs: []i64) (k: i64) : []i64 =
  let s = i64.sum xs
  in loop ys = copy xs for i < k do
       if s % (i + 1) > 0 then map (+ s) ys else map (* 2) (scan (+) i ys)
entry sums_of_rounds (xs: []i64) (k: i64) : i64 =
  (loop (ys, total) = (copy xs, 0) for i < k do
     let ys = loop ys for j < i do if j % 3 == 0 then map (\y -> y / 2 + j) ys else scan (+) j ys
     in (ys, total + i64.sum ys)).1
entry moves (kinds: []i32) (xs: []i64) : []i64 =
  loop ys = map (+ 1) xs for i < length kinds do
    if kinds[i] == 0 then map (* 2) ys else if kinds[i] == 1 then reverse ys else scan (+) 0 ys
entry arrays_of_points (rows: i64) (k: i64) : [rows][5]i64 =
  loop acc = replicate rows (replicate 5 0) for i < k do
    map2 (\r row -> map2 (\j x ->
           let a = #[sequential] scan (+) x (iota (j + 1))
           let b = #[sequential] scatter (copy a) [j / 2] [r + i]
           in a[j / 2] + b[j]) (iota 5) row)
      (iota rows) acc
entry rows_that_shrink [n] (ns: [n]i64) : [n]i64 =
  map (\m -> i64.sum (loop ys = iota m while length ys > 2 do filter (\y -> y % 2 == 0 && y > 0) (map (/ 2) ys))) ns
entry branches_in_rounds [n] (ns: [n]i64) (k: i64) : [n]i64 =
  loop ns = copy ns for i < k do
    map (\m -> if m % 2 == 0
               then if m > 4 then i64.sum (map (\j -> j * 6 / m) (iota (m / 2))) else m + i
               else i64.maximum (scan (+) 0 (map (% 3) (iota m)))) ns
entry rows_at_several_points [n] [k] (ns: [n]i64) (qs: [k]i64) : [n]i64 =
  loop ns = copy ns for i < k do
    map (\m -> let row = map (\j -> j * i + m) (iota m)
               in i64.sum (map (\q -> i64.maximum (scan (+) 0 (map (% q) row))) qs)) ns
entry rows_in_rounds [n] (ns: [n]i64) (k: i64) : [n]i64 =
  loop ns = copy ns for i < k do
    map (\m -> let xs = map (% 7) (iota m)
               let a = filter (> 3) xs
               let b = filter (<= 3) xs
               in i64.maximum (scan (+) 0 a) + length b) ns
entry arrays_as_long_as_rows [n] (ns: [n]i64) (k: i64) : [n]i64 =
  loop ns = copy ns for i < k do
    map (\m -> let sums = scan (+) 0 (map (\j -> j % 7 + i) (iota m))
               in 1 + i64.sum (map (\j -> sums[j * 3 % m] % 5) (iota m)) % 9) ns
`

// wantWaits are the waits of those loops: function, loop, in how many others, waits of a round, launches, most waits of a round of a loop
// inside, and what is recorded ahead, or that elements are read for several rounds. Those of number_known_before and arrays_of_points do
// not wait: what the host needs is the same in all rounds. Nor does that of sums_of_rounds: the host needs nothing before the end.
const wantWaits = `condition while 0 1 2 0 rounds
nearest while 0 1 5 0 rounds
size while 0 1 2 0
condition_and_size while 0 1 4 0
number_in_branches while 0 1 3 0
sizes_of_two_filters while 0 1 4 0
size_and_last_of_scan while 0 1 6 0
sum_of_what_is_kept while 0 1 4 0
bins_of_what_is_kept while 0 1 7 0
distinct_of_what_is_kept while 0 1 8 0
parts while 0 1 5 0
loop_in_loop for 0 1 5 1
loop_in_loop while 1 1 4 0
moves for 0 1 2 0 elements
rows_that_shrink while 0 1 10 0
branches_in_rounds for 0 1 21 0
rows_at_several_points for 0 1 15 0
rows_in_rounds for 0 1 14 0
arrays_as_long_as_rows for 0 1 10 0
`

// Host code waits once a round for all that it needs of it.
func TestLoopsOfTheHostWaitOnceARound(t *testing.T) {
	file := filepath.Join(t.TempDir(), "waiting.fut")
	if err := os.WriteFile(file, []byte(waitingPrograms), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, profile := range []string{"h200-wgpu", "h200-cuda"} {
		m, err := findProfile(profile)
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		for _, row := range waitRows(m, file, "") {
			fmt.Fprintln(&got, strings.TrimSpace(strings.Join(row[1:], " ")))
		}
		if d := cmp.Diff(wantWaits, got.String()); d != "" {
			t.Errorf("%s (-want +got):\n%s", profile, d)
		}
	}
}
