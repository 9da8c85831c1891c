-- Strided slices.
-- ==
-- input { [1, 2, 3, 4, 5] }
-- output { [1i32, 3i32, 5i32] [5i32, 4i32, 3i32, 2i32, 1i32] }

def main (xs: []i32) : ([]i32, []i32) = (xs[::2], xs[::-1])
