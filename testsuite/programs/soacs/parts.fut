-- Head, tail, init, last, take, drop, split, concatenation.
-- ==
-- input { [1, 2, 3, 4] }
-- output { 1 4 [2, 3, 4] [1, 2, 3] [1, 2] [3, 4] [3, 4, 1, 2] }

def main (a: [4]i32) : (i32, i32, []i32, []i32, []i32, []i32, []i32) =
  (head a, last a, tail a, init a, take 2 a, drop 2 a, drop 2 a ++ take 2 a)
