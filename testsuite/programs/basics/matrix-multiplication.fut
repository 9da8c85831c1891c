-- Matrix multiplication.
-- ==
-- input { [[1f32, 2f32], [3f32, 4f32]] [[5f32, 6f32], [7f32, 8f32]] }
-- output { [[19f32, 22f32], [43f32, 50f32]] }

def dot [n] (xs: [n]f32) (ys: [n]f32) : f32 = reduce (+) 0 (map2 (*) xs ys)
def main [n] [m] [p] (a: [n][m]f32) (b: [m][p]f32) : [n][p]f32 = map (\row -> map (dot row) (transpose b)) a
