-- Histograms of two and three dimensions.
-- ==
-- input { 4 }
-- output { [[4, 0], [0, 8]] [[[4, 0], [0, 4]]] }

def main (v: i32) : ([2][2]i32, [1][2][2]i32) =
  ( reduce_by_index_2d (replicate 2 (replicate 2 0)) (+) 0 [(0, 0), (1, 1), (1, 1), (2, 2)] (replicate 4 v)
  , reduce_by_index_3d (replicate 1 (replicate 2 (replicate 2 0))) (+) 0 [(0, 0, 0), (0, 1, 1)] (replicate 2 v))
