-- Indexing and slicing. A slice takes its elements from the start up to, without, the end.
-- ==
-- entry: slices
-- input { [0, 1, 2, 3, 4] } output { [1, 2] [3, 4] [0, 1] [4, 3, 2, 1, 0] [0, 2, 4] [3, 2] }

-- ==
-- entry: at
-- input { [[1, 2], [3, 4]] 1i64 0i64 } output { 3 }
-- input { [[1, 2], [3, 4]] 2i64 0i64 } error: Index \[2, 0\] out of bounds for array of shape \[2\]\[2\]
-- input { [[1, 2], [3, 4]] 0i64 -1i64 } error: out of bounds

-- A slice of several dimensions keeps those that are ranges.
-- ==
-- entry: column
-- input { [[1, 2], [3, 4], [5, 6]] } output { [2, 4, 6] [[3], [5]] }

-- The shape of what is empty is kept.
-- ==
-- entry: empty
-- input { empty([0][3]i32) } output { 0i64 3i64 empty([3][0]i32) }

-- ==
-- entry: ranges
-- input { 5 } output { [0, 1, 2, 3, 4] [0, 2, 4] [5, 4, 3, 2, 1] [0, 1, 2, 3, 4, 5] [5, 3, 1] }
-- input { -1 } error: invalid

-- ==
-- entry: literal
-- input { [1, 2] [3, 4] } output { [[1, 2], [3, 4]] }

entry slices (xs: []i32) = (xs[1:3], xs[3:], xs[:2], xs[::-1], xs[::2], xs[3:1:-1])

entry at (xss: [][]i32) (i: i64) (j: i64) = xss[i, j]

entry column (xss: [][]i32) = (xss[:, 1], xss[1:, 0:1])

entry empty [n] [m] (xss: [n][m]i32) = (n, m, transpose xss)

entry ranges (n: i32) = (0..<n, 0..2..<n, n..>0, 0...n, n..n - 2...0)

entry literal [n] (xs: [n]i32) (ys: [n]i32) = [xs, ys]
