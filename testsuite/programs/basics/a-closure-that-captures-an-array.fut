-- A closure that captures an array.
-- ==
-- input { [5, 6, 7] [2i64, 0i64] }
-- output { [7i32, 5i32] }

def pick [n] (xs: [n]i32) : i64 -> i32 = \i -> xs[i]
def main (xs: []i32) (is: []i64) : []i32 = let f = pick xs in map f is
