-- A scan that starts again at each flag.
-- ==
-- input { [true, false, true, false, false] [1, 2, 3, 4, 5] }
-- output { [1, 3, 3, 7, 12] }

def main [n] (fs: [n]bool) (xs: [n]i32) : [n]i32 =
  map (.1) (scan (\(f, x) (g, y) -> (f || g, if g then y else x + y)) (false, 0) (zip fs xs))
