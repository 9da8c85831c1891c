-- A reduction of pairs: the place of the greatest element.
-- ==
-- input { [3, 9, 2] }
-- output { 9 1i64 }
-- input { [4] }
-- output { 4 0i64 }

def main [n] (xs: [n]i32) : (i32, i64) =
  reduce (\(x, i) (y, j) -> if y > x then (y, j) else (x, i)) (i32.lowest, -1) (zip xs (iota n))
