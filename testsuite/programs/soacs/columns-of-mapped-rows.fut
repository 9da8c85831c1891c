-- Rows that a map makes are combined as vectors: what makes an element is done where its column is folded.
-- ==
-- entry: sums
-- input { [3, -1, 4, 1, -5] [2, 7, 1] } output { [4, 14, 2] }
-- input { empty([0]i32) [2, 7, 1] } output { [0, 0, 0] }
-- input { [3, -1] empty([0]i32) } output { empty([0]i32) }
entry sums (xs: []i32) (ys: []i32) = map (\x -> map (* x) ys) xs |> reduce_comm (map2 (+)) (map (const 0) ys)

-- ==
-- entry: matrix
-- input { [[1, 2, 3], [4, 5, 6], [-7, 8, 9], [0, 1, 2], [5, -5, 5]] } output { [96, 124, 160] }
entry matrix [n] [m] (xss: [n][m]i32) = map (map (\x -> x * x + 1)) xss |> reduce (map2 (+)) (replicate m 0)

-- What an element of xs comes to is computed once, not for each column.
-- ==
-- entry: costly
-- input { [3, -1, 4, 1, -5] [2, 7, 1] } output { [191889, 191896, 191886] }
entry costly [n] [m] (xs: [n]i32) (ys: [m]i32) =
  map (\x -> let s = loop s = x for i < 10 do s * 3 + i in map (^ s) ys) xs |> reduce (map2 (+)) (replicate m 0)

-- The rows that the map inside goes over are made by a scan.
-- ==
-- entry: kept
-- input { [3, -1, 4, 1, -5] [2, 7, 1] } output { [0, 4, 18] }
entry kept [n] [m] (xs: [n]i32) (ys: [m]i32) =
  map (\x -> let sums = scan (+) 0 (map (* x) ys) in map2 (\s y -> s - x * y) sums ys) xs |> reduce (map2 (+)) (replicate m 0)

-- ==
-- entry: best
-- input { [3, -1, 4, 1, -5] [2, 7, 1] } output { [8, 28, 4] [2, 2, 2] }
entry best [n] [m] (xs: [n]i32) (ys: [m]i32) : ([m]i32, [m]i32) =
  map2 (\i x -> map (\y -> (x * y, i32.i64 i)) ys) (indices xs) xs
  |> reduce (map2 (\a b -> if a.0 >= b.0 then a else b)) (replicate m (i32.lowest, -1))
  |> unzip

-- ==
-- entry: scanned
-- input { [3, -1, 4, 1, -5] [2, 7, 1] } output { [[6, 21, 3], [4, 14, 2], [12, 42, 6], [14, 49, 7], [4, 14, 2]] }
entry scanned [n] [m] (xs: [n]i32) (ys: [m]i32) = map (\x -> map (* x) ys) xs |> scan (map2 (+)) (replicate m 0)

-- ==
-- entry: nested
-- input { [3, -1, 4, 1, -5] [[1, 2], [3, -4], [5, 6]] } output { [[2, 4], [6, -8], [10, 12]] }
entry nested [n] [m] (xs: [n]i32) (zss: [][m]i32) =
  map (\zs -> map (\x -> map (* x) zs) xs |> reduce (map2 (+)) (replicate m 0)) zss

-- ==
-- entry: uneven
-- input { [3, -1, 4, 1, -5] [0i64, 1i64, 4i64, 2i64] } output { [0, 0, 12, 2] }
entry uneven [n] (xs: [n]i32) (ks: []i64) =
  map (\k -> map (\x -> map (\i -> x * i32.i64 i) (iota k)) xs |> reduce (map2 (+)) (replicate k 0) |> i32.sum) ks

-- ==
-- entry: picked
-- input { [2i64, 0i64, 1i64, 2i64, 1i64] [2, 7, 1] } output { [36, 126, 18] }
-- input { [2i64, 3i64, 1i64] [2, 7, 1] } error: columns-of-mapped-rows.fut:58:29-33
entry picked [n] [m] (is: [n]i64) (ys: [m]i32) =
  map (\i -> map (\y -> y * ys[i]) ys) is |> reduce (map2 (+)) (replicate m 0)

-- ==
-- entry: own
-- input { [[1, 2, 3], [4, 5, 6], [-7, 8, 9], [0, 1, 2], [5, -5, 5]] [2, 7, 1] } output { [9, 32, 28] }
entry own [n] [m] (xss: [n][m]i32) (ys: [m]i32) =
  map (\xs -> map2 (\x y -> xs[0] * y + x) xs ys) xss |> reduce (map2 (+)) (replicate m 0)

-- Histograms of such rows, too.
-- ==
-- entry: binned
-- input { [3, -1, 4, 1, -5] [1i64, 0i64, 1i64, 3i64, -1i64] [2, 7, 1] } output { [[-2, -7, -1], [14, 49, 7], [0, 0, 0]] }
entry binned [n] [m] (xs: [n]i32) (is: [n]i64) (ys: [m]i32) =
  reduce_by_index (replicate 3 (replicate m 0)) (map2 (+)) (replicate m 0) is (map (\x -> map (* x) ys) xs)

-- ==
-- entry: binned_costly
-- input { [3, -1, 4, 1, -5] [[1, 2, 3], [4, 5, 6], [-7, 8, 9], [0, 1, 2], [5, -5, 5]] }
-- output { [[-59055, 442851, 442851], [-250973, 309995, -250973]] }
entry binned_costly [n] [m] (xs: [n]i32) (yss: [n][m]i32) =
  let rows = map2 (\x ys -> let s = loop s = x for i < 10 do s * 3 + i in map (^ s) ys) xs yss
  in reduce_by_index (replicate 2 (replicate m 0)) (map2 (+)) (replicate m 0) (map (\x -> i64.bool (x < 3)) xs) rows

-- ==
-- entry: binned_checked
-- input { [2i64, 0i64, 1i64, 2i64, 1i64] [2, 7, 1] } output { [[4, 14, 2], [28, 98, 14], [4, 14, 2]] }
-- input { [2i64, 3i64, 1i64] [2, 7, 1] } error: Index .3.
entry binned_checked [n] [m] (is: [n]i64) (ys: [m]i32) =
  reduce_by_index (replicate 3 (replicate m 0)) (map2 (+)) (replicate m 0) is (map (\i -> map (\y -> y * ys[i]) ys) is)
