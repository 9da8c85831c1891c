-- Scans that leave their own element out.
-- ==
-- input { [1, 2, 3, 4] }
-- output { [0, 1, 3, 6] }

def main [n] (xs: [n]i32) : [n]i32 = map2 (-) (scan (+) 0 xs) xs
