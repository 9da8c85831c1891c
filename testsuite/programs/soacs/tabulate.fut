-- Tabulation in one, two and three dimensions.
-- ==
-- input { 2i64 3i64 }
-- output { [0i64, 1i64] [[0i64, 1i64, 2i64], [10i64, 11i64, 12i64]] [[[0i64, 1i64, 2i64], [10i64, 11i64, 12i64]]] }

def main (n: i64) (m: i64) : ([n]i64, [n][m]i64, [1][n][m]i64) =
  (tabulate n id, tabulate_2d n m (\i j -> 10 * i + j), tabulate_3d 1 n m (\k i j -> 100 * k + 10 * i + j))
