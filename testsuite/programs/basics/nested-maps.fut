-- Nested maps.
-- ==
-- input { [[1, 2], [3, 4]] }
-- output { [5i32, 9i32] }

def main [n] [m] (xss: [n][m]i32) : [n]i32 = map (\xs -> reduce (+) 0 (map (+ 1) xs)) xss
