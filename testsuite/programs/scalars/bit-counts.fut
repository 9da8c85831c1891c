-- Counting bits, and the high half of a product.
-- ==
-- input { 0 }
-- output { 0 32 32 0 }
-- input { 1 }
-- output { 1 31 0 0 }
-- input { -1 }
-- output { 32 0 0 -1 }
-- input { 96 }
-- output { 2 25 5 0 }

def main (x: i32) : (i32, i32, i32, i32) = (i32.popc x, i32.clz x, i32.ctz x, i32.mul_hi x 1)
