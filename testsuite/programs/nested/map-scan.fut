-- Scans of rows, and of columns.
-- ==
-- input { [[1, 2], [3, 4]] }
-- output { [[1, 3], [3, 7]] [[1, 2], [4, 6]] }
-- input { empty([0][2]i32) }
-- output { empty([0][2]i32) empty([0][2]i32) }

def main [n][m] (a: [n][m]i32) : ([n][m]i32, [n][m]i32) =
  (map (scan (+) 0) a, scan (map2 (+)) (replicate m 0) a)
