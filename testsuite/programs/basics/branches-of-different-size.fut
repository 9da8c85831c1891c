-- Branches of different size.
-- ==
-- input { true [1, 2, 3] }
-- output { [2i32, 3i32] }

def main (c: bool) (xs: []i32) : []i32 = if c then xs[1:] else map (+ 1) xs
