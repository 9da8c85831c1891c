-- Slices of both dimensions of a matrix.
-- ==
-- input { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] }
-- output { [[5, 6], [8, 9]] [[3, 1], [9, 7]] [2, 5] }

def main (a: [3][3]i32) : ([][]i32, [][]i32, []i32) = (a[1:, 1:], a[::2, ::-2], a[:2, 1])
