-- A filter within a map.
-- ==
-- input { [[1, 2, 3], [4, 6, 8]] }
-- output { [1i64, 3i64] }

def main [n][m] (a: [n][m]i32) : [n]i64 = map (\r -> length (filter (\x -> x % 2 == 0) r)) a
