-- Whether an array has elements, and arrays joined end to end.
-- ==
-- entry: ends
-- input { [1, 2, 3] } output { false true [1, 2, 3, 3, 2, 1] }
-- input { empty([0]i32) } output { true true empty([0]i32) }

entry ends (xs: []i32) = (null xs, null (take 0 xs), concat xs (reverse xs))

-- Elements in row-major order: index 6i + 3j + k of a 2 by 2 by 3 array holds 100i + 10j + k.
-- ==
-- entry: dimensions
-- input { 2i64 2i64 3i64 }
-- output { [0i64, 1i64, 2i64, 10i64, 11i64, 12i64, 100i64, 101i64, 102i64, 110i64, 111i64, 112i64] true }

entry dimensions (n: i64) (m: i64) (l: i64) =
  let xs = tabulate_3d n m l (\i j k -> 100 * i + 10 * j + k)
  in (flatten_3d xs, unflatten_3d (flatten_3d xs) == xs)

-- Four dimensions there and back again; the last element of a 2 by 1 by 2 by 2 array has index 7.
-- ==
-- entry: four
-- input { [0, 1, 2, 3, 4, 5, 6, 7] } output { 7 [0, 1, 2, 3, 4, 5, 6, 7] }

entry four (xs: [8]i32) =
  let a = unflatten_4d (sized (2 * 1 * 2 * 2) xs)
  in (a[1, 0, 1, 1], sized 8 (flatten_4d a))

-- An array whose length the context determines, and an array stored as it is.
-- ==
-- entry: stored
-- input { [[1, 2], [3, 4]] 5 } output { [6, 7] [[1, 3], [2, 4]] }

entry stored (xss: [2][2]i32) (x: i32) =
  (map2 (+) (rep x) [1, 2], manifest (transpose xss))

-- Arrays of tuples from arrays and back; map1 is map.
-- ==
-- entry: zipped
-- input { [1, 2] [3, 4] } output { [1, 2] [3, 4] [17, 26] [2, 3] }

entry zipped (xs: [2]i32) (ys: [2]i32) =
  let (as, bs) = unzip2 (zip2 xs ys)
  let five = map (\(a, b, c, d, e) -> a + b + c + d * e) (zip5 xs ys xs ys ys)
  in (as, bs, map2 (+) five [3, 2], map1 (+ 1) xs)
