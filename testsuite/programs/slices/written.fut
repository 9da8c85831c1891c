-- A slice may be the target of an update.
-- ==
-- input { [1, 2, 3, 4, 5] }
-- output { [1, 9, 8, 7, 5] }

def main (a: *[5]i32) : [5]i32 = a with [1:4] = [9, 8, 7]
