-- What is the same at all points of a map, and relies on a check outside, is made once, and only if there are points.
-- ==
-- entry: main
-- input { empty([0][4]i64) -3i64 } output { empty([0]i64) }
-- input { [[1i64,2i64],[3i64,4i64]] 3i64 } output { [48i64, 112i64] }
-- input { [[1i64,2i64],[3i64,4i64]] -3i64 } error: Range
-- input { [[1i64]] 3i64 } error: ivision by zero

entry main [n] [m] (xss: [n][m]i64) (k: i64): [n]i64 =
  map (\xs ->
         let ys = map (\i -> i + 1) (iota k)
         let zs = scan (+) 0 (map (* i64.sum xs) ys)
         in zs[k-1] / (m / 2) + i64.sum zs) xss

-- The sizes of inner maps are quotients.
-- ==
-- entry: halves
-- input { empty([0][4]i64) 0i64 } output { empty([0]i64) }
-- input { [[1i64,2i64,3i64,4i64],[5i64,6i64,7i64,8i64]] 2i64 } output { [3i64, 11i64] }
-- input { [[1i64,2i64,3i64,4i64]] 0i64 } error: ivision by zero

entry halves [n] [m] (xss: [n][m]i64) (d: i64): [n]i64 =
  map (\xs ->
         let h = m / d
         let ys = map (\i -> xs[i]) (iota h)
         in i64.sum (scatter (copy ys) (iota h) (map (\i -> ys[h - 1 - i]) (iota h)))) xss
