-- Scan.
-- ==
-- input { [1, 2, 3, 4] }
-- output { [1i32, 3i32, 6i32, 10i32] }

def main [n] (xs: [n]i32) : [n]i32 = scan (+) 0 xs
