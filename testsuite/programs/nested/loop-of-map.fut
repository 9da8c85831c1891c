-- Parallel steps within a sequential loop: 2 to the number of steps.
-- ==
-- input { 0 3i64 }
-- output { [1, 1, 1] }
-- input { 8 2i64 }
-- output { [256, 256] }

def main (k: i32) (n: i64) : [n]i32 = loop a = replicate n 1 for _i < k do map2 (+) a a
