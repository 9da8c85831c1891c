-- Ranges upwards, downwards, exclusive, inclusive, with a second element.
-- ==
-- entry: up
-- input { 3i64 }
-- output { [0i64, 1i64, 2i64] [0i64, 1i64, 2i64, 3i64] [1i64, 3i64, 5i64] }

-- ==
-- entry: down
-- input { 3i64 }
-- output { [3i64, 2i64, 1i64] [3i64, 1i64, -1i64] }

-- ==
-- entry: none
-- input { 0i64 }
-- output { empty([0]i64) }

entry up (n: i64) : ([]i64, []i64, []i64) = (0..<n, 0...n, 1..n...(2 * n))
entry down (n: i64) : ([]i64, []i64) = (n..>0, n..(n - 2)...(-1))
entry none (n: i64) : []i64 = 0..<n
