-- Indices of one dimension, of several, and of a part.
-- ==
-- input { [[1, 2, 3], [4, 5, 6]] }
-- output { 6 [4, 5, 6] 2 [2, 5] }

def main (a: [2][3]i32) : (i32, [3]i32, i32, [2]i32) = (a[1, 2], a[1], a[0][1], a[:, 1])
