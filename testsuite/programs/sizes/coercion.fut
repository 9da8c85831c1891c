-- Two sizes coerced to one.
-- ==
-- input { [1, 2] [3, 4] }
-- output { [4, 6] }
-- input { [1, 2] [3] }
-- error:

def main [n][m] (a: [n]i32) (b: [m]i32) : [n]i32 = map2 (+) a (b :> [n]i32)
