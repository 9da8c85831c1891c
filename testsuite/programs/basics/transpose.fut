-- Transpose.
-- ==
-- input { [[1, 2, 3], [4, 5, 6]] }
-- output { [[1i32, 4i32], [2i32, 5i32], [3i32, 6i32]] }

def main [n] [m] (xss: [n][m]i32) : [m][n]i32 = transpose xss
