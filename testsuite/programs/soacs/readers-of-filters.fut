-- What alone reads the result of a filter goes over all elements: maps, which may fail for those that are not kept, reductions, histograms.

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
