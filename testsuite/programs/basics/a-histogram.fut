-- A histogram.
-- ==
-- input { [0i64, 2i64, 2i64, 5i64, -1i64] }
-- output { [1i32, 0i32, 2i32] }

def main [n] (is: [n]i64) : [3]i32 = reduce_by_index (replicate 3 0) (+) 0 is (replicate n 1)
