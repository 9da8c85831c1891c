-- Workgroups whose result is one element of an array that their threads hold.
-- ==
-- entry: element
-- input { [[1, 2, 3, 4], [5, 6, 7, 8]] 2i64 } output { [12, 36] }
-- input { [[1], [5]] 0i64 } output { [2, 10] }
-- input { empty([0][3]i32) 1i64 } output { empty([0]i32) }

-- ==
-- entry: mixed
-- input { [[1, 2, 3, 4], [5, 6, 7, 8]] 2i64 } output { [12, 36] [20, 52] [[2, 6, 12, 20], [10, 22, 36, 52]] }

entry element [n][m] (xss: [n][m]i32) (k: i64) : [n]i32 =
  #[flattening(only_intra)]
  map (\xs -> let ys = scan (+) 0 (map (* 2) xs)
              in ys[k]) xss

entry mixed [n][m] (xss: [n][m]i32) (k: i64) : ([n]i32, [n]i32, [n][m]i32) =
  #[flattening(only_intra)]
  unzip3 (map (\xs -> let ys = scan (+) 0 (map (* 2) xs)
                      in (ys[k], ys[m - 1], ys)) xss)
