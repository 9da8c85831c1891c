-- Arithmetic.
-- ==
-- input { -7 2 }
-- output { -5i32 }

def main (x: i32) (y: i32) : i32 = (x + y) * 2 - x / y + x % y
