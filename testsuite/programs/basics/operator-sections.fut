-- Operator sections.
-- ==
-- input { 7 }
-- output { -5i32 5i32 }

def main (x: i32) : (i32, i32) = ((2 -) x, (\y -> y - 2) x)
