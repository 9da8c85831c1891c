-- Loops in workgroups that carry two arrays, of which each round makes one for both.
-- ==
-- entry: sums
-- input { 0i64 [[1, 2, 3], [4, 5, 6]] [[7, 8, 9], [1, 0, 2]] }
-- output { [[1, 2, 3], [4, 5, 6]] [[7, 8, 9], [1, 0, 2]] }
-- input { 1i64 [[1, 2, 3], [4, 5, 6]] [[7, 8, 9], [1, 0, 2]] }
-- output { [[8, 10, 12], [5, 5, 8]] [[8, 10, 12], [5, 5, 8]] }
-- input { 3i64 [[1, 2, 3], [4, 5, 6]] [[7, 8, 9], [1, 0, 2]] }
-- output { [[38, 40, 42], [23, 23, 26]] [[38, 40, 42], [23, 23, 26]] }
entry sums [n] [m] (k: i64) (xss: [n][m]i32) (yss: [n][m]i32) : ([n][m]i32, [n][m]i32) =
  let both (xs: [m]i32) (ys: [m]i32) : ([m]i32, [m]i32) =
    loop (p, q) = (copy xs, copy ys) for i < k do
      let s = map2 (+) p (rotate i q)
      in (s, s)
  in unzip (map2 both xss yss)

-- Two maps of one function, of which no round needs what the one before made.
-- ==
-- entry: forgotten
-- input { 3i64 [5, 6, 7] [[1, 2, 3]] [[7, 8, 9]] }
-- output { [[7, 5, 6]] [[7, 5, 6]] }
-- input { 0i64 [5, 6, 7] [[1, 2, 3]] [[7, 8, 9]] }
-- output { [[3, 2, 1]] [[9, 8, 7]] }
entry forgotten [n] [m] (k: i64) (ws: [m]i32) (xss: [n][m]i32) (yss: [n][m]i32) : ([n][m]i32, [n][m]i32) =
  let last (xs: [m]i32) : [m]i32 = loop _p = reverse xs for _i < k do rotate (-1) ws
  in (map last xss, map last yss)
