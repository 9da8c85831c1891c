-- What reads the result of a filter goes over all elements: maps, which may fail for those that are not kept, reductions, histograms, scatters,
-- scans and filters.

-- ==
-- entry: quotients
-- input { [3, 0, -4, 0, 5, 24] } output { [8, -6, 4, 1] }
-- input { [0, 0] } output { empty([0]i32) }
-- input { empty([0]i32) } output { empty([0]i32) }
entry quotients (xs: []i32) = map (24 /) (filter (!= 0) xs)

-- ==
-- entry: mean
-- input { [1f64, -5f64, 2f64, 6f64] } output { 3f64 }
-- input { [-1f64] } output { 0f64 }
entry mean (xs: []f64) =
  let ys = filter (> 0) xs
  in if null ys then 0 else f64.sum ys / f64.i64 (length ys)

-- The operator does not commute.
-- ==
-- entry: first_and_last
-- input { [7, -1, 8, 9, -3] } output { 7 9 3 }
-- input { [-7] } output { -1 -1 0 }
entry first_and_last (xs: []i32): (i32, i32, i32) =
  let op (a, b, m) (c, d, n) = if m == 0 then (c, d, n) else if n == 0 then (a, b, m) else (a, d, m + n)
  in reduce op (-1, -1, 0) (map (\y -> (y, y, 1)) (filter (>= 0) xs))

-- ==
-- entry: bins
-- input { [0i64, 1i64, 1i64, 5i64, 0i64, -1i64] [4, -1, 3, 9, 6, 7] } output { [10, 3, 0] }
entry bins [n] (is: [n]i64) (xs: [n]i32) =
  let ys = filter (\(_, x) -> x >= 0) (zip is xs)
  in reduce_by_index (replicate 3 0) (+) 0 (map (.0) ys) (map (.1) ys)

-- ==
-- entry: rows
-- input { [[1, -2, 3], [-1, -2, -3]] } output { [10, 0] }
entry rows [n][m] (xss: [n][m]i32) = map (\xs -> i32.sum (map (\x -> x * x) (filter (> 0) xs))) xss

-- ==
-- entry: gather
-- input { [2i64, -1i64, 0i64] [10, 20, 30] } output { [30, 10] }
-- input { [2i64, -1i64, 3i64] [10, 20, 30] } error: out of bounds
entry gather [n] (is: []i64) (xs: [n]i32) = map (\i -> xs[i]) (filter (>= 0) is)

-- The even ones are halved until few are left: of 0 to 40, those up to 20, 10, 5, 2 and 1.
-- ==
-- entry: rounds
-- input { 41 } output { [0, 1] }
entry rounds (n: i32) =
  loop xs = map i32.i64 (iota (i64.i32 n)) while length xs > 2 do map (/ 2) (filter (\x -> x % 2 == 0) xs)

-- ==
-- entry: both
-- input { [5, -5, 6] } output { [5, 6] [10, 12] }
entry both (xs: []i32) =
  let ys = filter (> 0) xs
  in (ys, map (* 2) ys)

-- ==
-- entry: pairs
-- input { [1, -1, 2] [10, 20, 30] } output { [11, 32] [10, 60] }
entry pairs [n] (xs: [n]i32) (ys: [n]i32) =
  let zs = filter (\(x, _) -> x > 0) (zip xs ys)
  in unzip (map (\(x, y) -> (x + y, x * y)) zs)

-- ==
-- entry: filters
-- input { [1, 2, 3, 4, 5, 6] } output { [8, 12] }
-- input { [1] } output { empty([0]i32) }
entry filters (xs: []i32) = filter (!= 16) (map (* 2) (filter (> 3) (map (+ 2) (filter (\x -> x % 2 == 0) xs))))

-- ==
-- entry: lengths
-- input { [[1, -2, 3], [-1, -2, -3]] } output { [2i64, 0i64] }
entry lengths (xss: [][]i32) = map (\xs -> length (filter (> 0) xs)) xss

-- ==
-- entry: last_sum
-- input { [1, 2, 3] } output { 6 }
-- input { empty([0]i32) } error: out of bounds
entry last_sum [n] (xs: [n]i32) = (scan (+) 0 xs)[n - 1]

-- ==
-- entry: several
-- input { [3, -1, 4, -1, 5] } output { 3i64 [6, 8, 10] 12 [3, 7, 12] 12 }
-- input { [-1] } output { 0i64 empty([0]i32) 0 empty([0]i32) 0 }
entry several (xs: []i32): (i64, []i32, i32, []i32, i32) =
  let ys = filter (> 0) xs
  let sums = scan (+) 0 ys
  in (length ys, map (* 2) ys, i32.sum ys, sums, if null sums then 0 else sums[length sums - 1])

-- The first scatter overwrites what the filter reads.
-- ==
-- entry: scatters
-- input { [true, false, true, true, false] [1, 2, 3, 4, 5] } output { [true, false, false, true, false] [1, 0, 1, 1] [1, 3, 4] }
-- input { [false] [1] } output { [false] [0, 0, 0, 0] empty([0]i32) }
entry scatters [n] (mask: *[n]bool) (xs: [n]i32): ([n]bool, [4]i32, []i32) =
  let is = filter (\i -> mask[i]) (iota n)
  in (scatter mask is (map (\i -> i % 3 == 0) is), scatter (replicate 4 0) (map (% 4) is) (map (const 1) is), map (\i -> xs[i]) is)

-- ==
-- entry: overwritten
-- input { [1, 5, 2, 7] } output { [1, 1, 2, 3] 2i64 }
entry overwritten [n] (xs: *[n]i32): ([n]i32, i64) =
  let is = filter (\i -> xs[i] > 2) (iota n)
  in (scatter xs is (map i32.i64 is), length is)

-- The scatter moves elements that the filter reads: it stays behind.
-- ==
-- entry: moved
-- input { [1, 5, 2, 7] } output { [1, 2, 2, 2] [1i64, 3i64] }
entry moved [n] (xs: *[n]i32): ([n]i32, []i64) =
  let is = filter (\i -> xs[i] > 2) (iota n)
  in (scatter xs (map (\i -> n - i) is) (map (const 2) is), is)

-- ==
-- entry: numbered
-- input { [3, -1, 4, 5] } output { [0i64, 4i64, 10i64] 14i64 }
entry numbered (xs: []i32): ([]i64, i64) =
  let ys = map i64.i32 (filter (> 0) xs)
  let zs = map2 (*) (indices ys) ys
  in (zs, i64.sum zs)

-- ==
-- entry: parts
-- input { [3, -1, 4, -2] } output { [4, 5] [-1, -2] 7 }
entry parts (xs: []i32): ([]i32, []i32, i32) =
  let (ys, zs) = partition (> 0) xs
  in (map (+ 1) ys, zs, i32.sum ys)

-- ==
-- entry: filters_apart
-- input { [1, 2, 3, 4, 5, 6] } output { [4, 6] 3i64 12 }
entry filters_apart (xs: []i32): ([]i32, i64, i32) =
  let ys = filter (\x -> x % 2 == 0) xs
  in (filter (> 3) ys, length ys, i32.sum ys)

-- Deviations from the mean, whose number the host needs first.
-- ==
-- entry: deviations
-- input { [4, -1, 6, 2] } output { 4 8 }
entry deviations (xs: []i32): (i32, i32) =
  let ys = filter (> 0) xs
  let mean = i32.sum ys / i32.i64 (length ys)
  in (mean, i32.sum (map (\y -> (y - mean) ** 2) ys))

-- ==
-- entry: two
-- input { [4, -1, 6, 2] } output { 12 -1 }
entry two (xs: []i32): (i32, i32) = (i32.sum (filter (> 0) xs), i32.sum (filter (< 1) xs))
