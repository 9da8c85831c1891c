-- Histograms with several operators.
-- ==
-- input { [0i64, 1i64, 0i64, 2i64, 7i64] [1, 5, 3, 2, 9] }
-- output { [4, 5, 2] [3, 5, 2] [3, 5, 2] }

def main [n] (is: [n]i64) (vs: [n]i32) : ([3]i32, [3]i32, [3]i32) =
  ( hist (+) 0 3 is vs
  , reduce_by_index (replicate 3 0) i32.max 0 is vs
  , reduce_by_index (replicate 3 1) (*) 1 is vs)
