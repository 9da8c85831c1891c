-- The two arrays of an entry point must agree in size.
-- ==
-- input { [1, 2] [3, 4] }
-- output { 11 }
-- input { [1, 2] [3] }
-- error:

def main [n] (a: [n]i32) (b: [n]i32) : i32 = i32.sum (map2 (*) a b)
