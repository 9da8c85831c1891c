-- Zip and unzip.
-- ==
-- input { [1, 2] [0.5f32, 1.5f32] }
-- output { [0.5f32, 1.5f32] [1i32, 2i32] }

def main [n] (xs: [n]i32) (ys: [n]f32) = unzip (map (\(x, y) -> (y, x)) (zip xs ys))
