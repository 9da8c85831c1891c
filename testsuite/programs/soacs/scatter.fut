-- Scatter ignores indices outside.
-- ==
-- input { [1, 2, 3, 4] [3i64, 0i64, -1i64, 4i64] [9, 8, 7, 6] }
-- output { [8, 2, 3, 9] }
-- input { [1, 2, 3, 4] empty([0]i64) empty([0]i32) }
-- output { [1, 2, 3, 4] }

def main [n][k] (d: *[n]i32) (is: [k]i64) (vs: [k]i32) : [n]i32 = scatter d is vs
