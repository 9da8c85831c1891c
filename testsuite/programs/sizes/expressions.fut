-- Sizes that are expressions.
-- ==
-- input { [1, 2] [3, 4, 5] }
-- output { [1, 2, 3, 4, 5] [1, 2, 1, 2] }

def join [n][m] (a: [n]i32) (b: [m]i32) : [n + m]i32 = a ++ b
def twice [n] (a: [n]i32) : [2 * n]i32 = flatten (replicate 2 a)
def main [n][m] (a: [n]i32) (b: [m]i32) : ([]i32, []i32) = (join a b, twice a)
