-- Arrays can be compared, but their sizes are compared as well, which is seldom meant.
-- ==
-- input { [1, 2] [1, 2] }
-- output { true }
-- input { [1, 2] [1, 3] }
-- output { false }
-- warning: array

def main [n] (xs: [n]i32) (ys: [n]i32) : bool = xs == ys
