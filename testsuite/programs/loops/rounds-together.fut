-- Loops that read and update one array: what a round reads another has written, nobody has, or nobody can say.

-- ==
-- entry: differences
-- input { [[1, 4, 9, 16, 25, 36, 49, 64, 81], [9, 8, 7, 6, 5, 4, 3, 2, 1]] }
-- output { [[1, 3, 5, 7, 9, 11, 13, 15, 17], [9, -1, -1, -1, -1, -1, -1, -1, -1]] }
-- input { [[5], [7]] }
-- output { [[5], [7]] }
-- input { [[5, 6, 8, 7, 9], [7, 1, 2, 2, 3]] }
-- output { [[5, 1, 2, -1, 2], [7, -6, 1, 0, 1]] }
entry differences [m] [n] (xss: [m][n]i32) : [m][n]i32 =
  #[sequential_inner]
  map (\xs ->
         loop xs = copy xs
         for ii in 1..<n do
           let i = n - ii
           in xs with [i] = xs[i] - xs[i - 1])
      xss

-- ==
-- entry: sums
-- input { [[1, 1, 1, 1, 1, 1, 1, 1, 1, 1], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]] }
-- output { [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [1, 3, 6, 10, 15, 21, 28, 36, 45, 55]] }
entry sums [m] [n] (xss: [m][n]i32) : [m][n]i32 =
  #[sequential_inner]
  map (\xs -> loop xs = copy xs for i < n - 1 do xs with [i + 1] = xs[i] + xs[i + 1]) xss

-- ==
-- entry: fibonacci
-- input { [[1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]] }
-- output { [[1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89]] }
entry fibonacci [m] [n] (xss: [m][n]i32) : [m][n]i32 =
  #[sequential_inner]
  map (\xs -> loop xs = copy xs for i < n - 2 do xs with [i + 2] = xs[i] + xs[i + 1]) xss

-- ==
-- entry: counts
-- input { [[0i64, 3i64, 3i64, 1i64, 3i64, 2i64, 3i64, 3i64, 0i64]] }
-- output { [[2, 1, 1, 5]] }
entry counts [m] [n] (iss: [m][n]i64) : [m][4]i32 =
  #[sequential_inner]
  map (\is -> loop c = replicate 4 0 for i < n do c with [is[i]] = c[is[i]] + 1) iss
