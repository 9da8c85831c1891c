-- A map whose body is fit for a workgroup, with an operation inside that has a size which only the body knows: what the version inside a
-- workgroup costs is unknown there.
-- ==
-- input { 4i64 [3i64, 0i64, 8i64] }
-- output { [[4i64, 8i64, 13i64, 19i64], [0i64, 1i64, 3i64, 6i64], [8i64, 17i64, 27i64, 38i64]] }
-- input { 100i64 empty([0]i64) }
-- output { empty([0][100]i64) }

entry main [m] (n: i64) (xs: [m]i64) : [m][n]i64 =
  map (\x ->
         let k = x % 7 % 4
         let ys = scan (+) 0 (map (+ x) (iota n))
         let s = i64.sum (map (\i -> i64.bool (ys[i] < 6)) (iota (i64.min n k)))
         in map (+ s) ys)
      xs
