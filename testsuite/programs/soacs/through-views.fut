-- Slices, transpositions and reshapes of what maps make go to what the maps read, so that the maps meet those behind.
-- ==
-- entry: sliced
-- input { [1, 2, 3, 4, 5, 6, 7] 1i64 6i64 }
-- output { [25, 35, 45, 55, 65] 205 [75, 55, 35, 15] }
-- input { [1, 2, 3, 4, 5, 6, 7] 3i64 3i64 }
-- output { empty([0]i32) 0 [75, 55, 35, 15] }
-- input { [1, 2, 3, 4, 5, 6, 7] 3i64 8i64 }
-- error: out of bounds
entry sliced [n] (xs: [n]i32) (a: i64) (b: i64) : ([]i32, i32, []i32) =
  let ys = (map (\x -> x * 2) xs)[a:b]
  let zs = map (\y -> y * 5 + 5) ys
  let backwards = map (\x -> x * 5) ((map (\x -> x * 2 + 1) xs)[::-2])
  in (zs, reduce (+) 0 (map (\y -> y * 5 + 1) ys), backwards)

-- What fails where nobody looks fails.
-- ==
-- entry: checked
-- input { [2, 5, 1] }
-- output { [3, 11] }
-- input { [0, 5, 1] }
-- error: [Dd]ivision by zero
entry checked (xs: []i32) : []i32 = map (+ 1) (map (10 /) xs)[1:]

-- Slices of both dimensions; of an iota, with a stride; of rows.
-- ==
-- entry: corners
-- input { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] }
-- output { [[3, 7], [15, 19]] [8i64, 14i64] [[5, 6], [11, 12]] }
entry corners [n] [m] (xss: [n][m]i32) : ([][]i32, []i64, [][]i32) =
  let a = map (map (\x -> x * 2 + 1)) xss
  let b = map (* 2) (map (+ n) (iota 7))[1:5:3]
  let c = map (\row -> map (+ 3) row) (map (\row -> map2 (\x y -> x + y / 100) row row[::1]) xss)[0:2, 1:]
  let c = map2 (\i row -> map (+ i) row) [0, 3] (c :> [2][]i32)
  in (a[::2, ::2], b, c)

-- The array changes between the map and the slice.
-- ==
-- entry: changed
-- input { [1, 2, 3, 4] }
-- output { [4, 8] [100, 2, 3, 4] }
entry changed (xs: *[]i32) : ([]i32, []i32) =
  let ys = map (* 2) xs
  let xs[0] = 100
  in (map (+ 2) ys[::2], xs)

-- Rows that are changed in place, then columns of them.
-- ==
-- entry: in_place
-- input { [[1, 2], [3, 4], [5, 6]] }
-- output { [21, 12] }
entry in_place [n] [m] (xss: *[n][m]i32) : [m]i32 =
  let yss = map (\row -> copy row with [0] = row[1] + row[0]) xss
  in map (reduce (+) 0) (transpose yss)

-- Nests in another order, with scalars of the outer map, arrays of the inner one, and several results.
-- ==
-- entry: columns
-- input { [1, 2, 3] [10, 20] [[1, 2], [3, 4], [5, 6]] }
-- output { [[24, 40, 56], [46, 72, 98]] [135, 228] [[2, 5, 8], [3, 6, 9]] }
-- input { empty([0]i32) [10, 20] empty([0][2]i32) }
-- output { empty([2][0]i32) [30, 30] empty([2][0]i32) }
entry columns [n] [m] (xs: [n]i32) (ys: [m]i32) (zss: [n][m]i32) : ([m][n]i32, [m]i32, [m][n]i32) =
  let a = map2 (\x zs -> let k = x + 1 in map2 (\y z -> (k * y, z + x)) ys zs |> unzip) xs zss
  let (ps, qs) = unzip a
  let c = map2 (\p q -> map2 (\u v -> u + 2 * v) p q) (transpose ps) (transpose qs)
  let d = map2 (\p q -> reduce (+) 0 (map2 (+) p q) + 30) (transpose ps) (transpose qs)
  let e = map (\q -> map (\v -> v - 0) q) (transpose (map2 (\x zs -> map (+ x) zs) xs zss))
  in (c, d, e)

-- Three dimensions.
-- ==
-- entry: cube
-- input { [[[1, 2], [3, 4]], [[5, 6], [7, 8]], [[9, 10], [11, 12]]] }
-- output { [[[3, 11, 19], [7, 15, 23]], [[5, 13, 21], [9, 17, 25]]] [[15, 18], [21, 24]] }
entry cube [k] [n] [m] (xsss: [k][n][m]i32) : ([m][n][k]i32, [n][m]i32) =
  let a = map (map (map (* 2))) xsss
  let b = map (map (map (+ 1))) (transpose (map transpose (map transpose (transpose a)) |> map transpose) |> map transpose |> map transpose)
  let b = map (map (map (+ 0))) (map transpose (transpose (map transpose b)))
  let c = map (map (reduce (+) 0)) (map transpose (transpose xsss))
  in (map transpose (transpose (map transpose a)) |> map (map (map (+ 1))) |> \r -> map2 (map2 (map2 (\x y -> x + 0 * y))) r (r |> map (map (map (+ i32.i64 (length b))))), c)

-- One dimension in several, and back.
-- ==
-- entry: unflattened
-- input { [1, 2, 3, 4, 5, 6] }
-- output { [[2, 5, 8], [11, 14, 17]] [[15, 12], [14, 11], [13, 10]] [12i64, 39i64] }
entry unflattened (xs: [6]i32) : ([2][3]i32, [3][2]i32, [2]i64) =
  let ys = map2 (\x i -> x + i32.i64 i) xs (iota 6)
  let a = map (map (+ 1)) (map2 (\x i -> x + 2 * i32.i64 i) xs (iota 6) |> map (\y -> y - 0) |> \r -> unflatten (r :> [2 * 3]i32))
  let b = map (map (+ 10)) (transpose (unflatten (map (\i -> i32.i64 (7 - i)) (2...7) :> [2 * 3]i32)))
  let c = map (reduce (+) 0) (unflatten (map (\i -> 3 * i + 1) (iota 6) :> [2 * 3]i64))
  in (map2 (map2 (\p q -> p + 0 * q)) a (unflatten (ys :> [2 * 3]i32)), b, c)

-- ==
-- entry: flattened
-- input { [[1, 2, 3], [4, 5, 6]] [7, 8, 9, 10, 11, 12] }
-- output { [9, 12, 15, 18, 21, 24] 27 [3, 4, 6, 5, 7, 8] [6, 6, 0, 3, 6, 0] [0, 2, 3, 4, 5, 6, 7] }
-- input { empty([0][3]i32) empty([0]i32) }
-- output { empty([0]i32) 0 empty([0]i32) [0, 0, 0, 0, 0, 0] [0, 0, 0, 0, 0, 0, 0] }
entry flattened [n] [m] (xss: [n][m]i32) (ys: [n * m]i32) : ([n * m]i32, i32, [n * m]i32, [6]i32, [7]i32) =
  let a = map2 (+) (flatten (map (map (\x -> x * 2)) xss)) ys
  let s = reduce (+) 0 (flatten (map (map (+ 1)) xss))
  -- the sum of the row's index and of the column's
  let b = map (+ 3) (flatten (map (\i -> map (\j -> i32.i64 (i * 5 + j * 3) / 2) (iota m)) (iota n)))
  let h = reduce_by_index (replicate 6 0) (+) 0 (flatten (map (map (\x -> i64.i32 (x * x % 6))) xss)) (flatten (map (map (\x -> x - 0)) xss))
  let is = flatten (map (map i64.i32) xss)
  let d = scatter (replicate 7 0) is (flatten (map (map (+ 1)) xss))
  in (a, s, map2 (\p q -> p - q * 0) b a, h, d)

-- The shape of a scan's rows, and a branch in between.
-- ==
-- entry: scanned
-- input { [[1, 2, 3], [4, 5, 6]] }
-- output { [3, 7, 13, 9, 19, 31] [[5, 8], [6, 9], [5, 10]] }
entry scanned [n] [m] (xss: [n][m]i32) : ([n * m]i32, [m][n]i32) =
  let a = map (\x -> x * 2 + 1) (flatten (map (scan (+) 0) xss))
  let b = map (map (\x -> if x > 3 then x + 1 else x + 3)) (map (map (+ 1)) xss)
  in (a, map (\col -> map2 (\i x -> if i == 0 then x else x + 2) (map i32.i64 (iota n)) col) (transpose b))
