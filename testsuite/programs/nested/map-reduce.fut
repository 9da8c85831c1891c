-- Sums of rows: row i of n columns i + j is n i + n (n - 1) / 2.
-- ==
-- entry: rows
-- input { [[1, 2], [3, 4], [5, 6]] }
-- output { [3, 7, 11] }
-- input { empty([0][4]i32) }
-- output { empty([0]i32) }

-- ==
-- entry: formula
-- input { 50i64 70i64 }
-- output { true }
-- input { 1i64 1i64 }
-- output { true }
-- input { 3i64 2000i64 }
-- output { true }

entry rows [n][m] (a: [n][m]i32) : [n]i32 = map i32.sum a
entry formula (n: i64) (m: i64) : bool =
  map (\i -> i64.sum (map (+ i) (iota m))) (iota n)
  |> map2 (\i s -> s == m * i + m * (m - 1) / 2) (iota n)
  |> and
