-- Rows of arrays that are filled with one element: maps read their elements, change them and return them; indices read them.
-- ==
-- entry: weighted
-- input { 2 [[1, 2, 3], [4, 5, 6]] } output { [[3, 5, 7], [9, 11, 13]] }
-- input { 7 empty([0][3]i32) } output { empty([0][3]i32) }

-- ==
-- entry: marked
-- input { 3i64 [2i64, 0i64] } output { [[4, 4, 9], [9, 4, 4]] }
-- input { 1i64 empty([0]i64) } output { empty([0][1]i32) }

-- ==
-- entry: rows
-- input { 2i64 3i64 1i64 } output { [[5, 5, 5], [5, 5, 5]] [5, 5, 5] 15 }

entry weighted [n] [m] (k: i32) (xs: [n][m]i32) : [n][m]i32 =
  map2 (map2 (\x y -> k * x + y)) xs (replicate n (replicate m 1))

entry marked [n] (m: i64) (is: [n]i64) : [n][m]i32 =
  map2 (\i row -> copy row with [i] = 9) is (replicate n (replicate m 4))

entry rows (n: i64) (m: i64) (i: i64) : ([n][m]i32, [m]i32, i32) =
  let xs = replicate n (replicate m 5)
  let row = xs[i]
  in (xs, row, i32.sum row)
