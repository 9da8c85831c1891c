-- An update of a slice.
-- ==
-- input { [1, 2, 3, 4] }
-- output { [1i32, 9i32, 8i32, 4i32] }

def main (xs: *[4]i32) : [4]i32 = xs with [1:3] = [9, 8]
