-- The least, the greatest, and functions of two.
-- ==
-- input { 3 8 }
-- output { 3 8 true true }
-- input { -3 -8 }
-- output { -8 -3 true true }

def main (x: i32) (y: i32) : (i32, i32, bool, bool) =
  (i32.min x y, i32.max x y, i32.lowest + i32.highest == -1, f32.lowest == f32.neg f32.inf)
