-- A histogram of f64; all sums are exact.
-- ==
-- input { [0i64, 1i64, 0i64] [1.5f64, 2.5f64, 0.25f64] }
-- output { [1.75f64, 2.5f64] }

def main [n] (is: [n]i64) (vs: [n]f64) : [2]f64 = hist (+) 0 2 is vs
