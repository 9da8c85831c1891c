-- A size parameter is a number in the body.
-- ==
-- input { [[1, 2, 3], [4, 5, 6]] }
-- output { 2i64 3i64 6i64 }
-- input { empty([0][5]i32) }
-- output { 0i64 5i64 0i64 }

def main [n][m] (_: [n][m]i32) : (i64, i64, i64) = (n, m, n * m)
