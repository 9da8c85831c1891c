-- Array literals of one and two dimensions.
-- ==
-- input { 7 }
-- output { [[7, 8], [9, 10], [11, 12]] [7] }

def main (x: i32) : ([3][2]i32, [1]i32) = ([[x, x + 1], [x + 2, x + 3], [x + 4, x + 5]], [x])
