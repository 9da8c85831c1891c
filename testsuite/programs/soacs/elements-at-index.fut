-- Maps over indices that read arrays at the index: the arrays become inputs of the maps.
-- ==
-- entry: own
-- input { [1, 2, 3] }
-- output { [2, 6, 12] }
entry own [n] (xs: [n]i32) : []i32 =
  let ys = tabulate n (\i -> xs[i] * 2)
  in map (\i -> ys[i] + xs[i] * i32.i64 i) (iota n)

-- Rows, columns, a part; what is not in range is an error.
-- ==
-- entry: parts
-- input { [[1, 2, 3], [4, 5, 6]] 1i64 2i64 }
-- output { [[2, 3, 4], [5, 6, 7]] [4, 5] [8, 10, 12] [2, 5] }
-- input { [[1, 2, 3], [4, 5, 6]] 1i64 4i64 }
-- error: out of bounds
-- input { [[1, 2, 3], [4, 5, 6]] 2i64 2i64 }
-- error: out of bounds
-- input { [[1, 2, 3], [4, 5, 6]] 0i64 -1i64 }
-- error: invalid
entry parts [n] [m] (xss: [n][m]i32) (j: i64) (k: i64) : ([][]i32, []i32, []i32, []i32) =
  ( tabulate_2d n m (\i j -> xss[i, j] + 1)
  , map (\i -> xss[j, i]) (iota k)
  , map (\i -> #[unsafe] xss[j, i] * 2) (iota m)
  , map (\i -> xss[i, j]) (iota n)
  )

-- A row that no element is read of need not be there.
-- ==
-- entry: nothing
-- input { 5i64 empty([2][0]i32) }
-- output { empty([0]i32) }
-- input { 1i64 [[1], [2]] }
-- output { [4] }
-- input { 2i64 [[1], [2]] }
-- error: out of bounds
entry nothing [n] [m] (j: i64) (xss: [m][n]i32) : []i32 = map (\i -> xss[j, i] * 2) (iota n)

-- Neighbours, too; in a branch; an array that is overwritten behind.
-- ==
-- entry: kept
-- input { [1, 2, 3, 4] }
-- output { [5, 3, 5, 7] [1, 0, 3, 0] [4, 6, 8, 10] [0, 2, 3, 4] }
entry kept [n] (xs: *[n]i32) : ([]i32, []i32, []i32, []i32) =
  let a = map (\i -> xs[i] + xs[(i + n - 1) % n]) (iota n)
  let b = map (\i -> if i % 2 == 0 then xs[i] else 0) (iota n)
  let c = map (\i -> xs[i] * 2 + 2) (iota n)
  let xs[0] = 0
  in (a, b, c, xs)

-- Of functions of indices: derivatives in both directions.
-- ==
-- entry: derived
-- input { [1f64, 2f64, 3f64] }
-- output { [4f64, 10f64, 20f64] 4f64 }
entry derived [n] (xs: [n]f64) : ([]f64, f64) =
  let f (xs: [n]f64) = f64.sum (tabulate n (\i -> xs[i] * xs[i] * f64.i64 (i + 1) + xs[i] * 2))
  in (vjp f xs 1f64, jvp f xs (map (\i -> if i == 0 then 1 else 0) (iota n)))

-- The array itself is numbers in order, of which nothing is left.
-- ==
-- entry: counted
-- input { 5i64 }
-- output { [0i64, 1i64, 3i64, 0i64, 4i64] }
entry counted (n: i64) : [n]i64 =
  let xs = map (\i -> i) (iota n)
  in scan (^) 0 (map (\j -> xs[j % n]) (iota n))
