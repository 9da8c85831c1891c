-- A copy is updated; its original remains.
-- ==
-- input { [1, 2, 3] }
-- output { [1, 2, 3] [0, 2, 3] }

def main (a: [3]i32) : ([3]i32, [3]i32) = (a, copy a with [0] = 0)
