-- Each row updated in place within a map.
-- ==
-- input { [[3, 1, 2], [9, 8, 7]] }
-- output { [[0, 1, 2], [0, 8, 7]] }

def main [n][m] (a: [n][m]i32) : [n][m]i32 = map (\r -> copy r with [0] = 0) a
