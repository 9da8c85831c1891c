-- Scatter to places of a matrix and of an array of three dimensions.
-- ==
-- input { 5 }
-- output { [[0, 5], [6, 0]] [[[0, 5]], [[6, 0]]] }

def main (v: i32) : ([2][2]i32, [2][1][2]i32) =
  ( scatter_2d (replicate 2 (replicate 2 0)) [(0, 1), (1, 0), (2, 0)] [v, v + 1, 9]
  , scatter_3d (replicate 2 (replicate 1 (replicate 2 0))) [(0, 0, 1), (1, 0, 0), (0, 1, 0)] [v, v + 1, 9])
