-- Comparisons of signed integers, floats and NaN.
-- ==
-- entry: integers
-- input { -1 1 }
-- output { [true, true, false, false, false, true] }
-- input { 4 4 }
-- output { [false, true, false, true, true, false] }

-- ==
-- entry: floats
-- input { 0.0f32 -0.0f32 }
-- output { [false, true, false, true, true, false] }
-- input { f32.nan 1f32 }
-- output { [false, false, false, false, false, true] }
-- input { -f32.inf f32.inf }
-- output { [true, true, false, false, false, true] }

entry integers (x: i32) (y: i32) : [6]bool = [x < y, x <= y, x > y, x >= y, x == y, x != y]
entry floats (x: f32) (y: f32) : [6]bool = [x < y, x <= y, x > y, x >= y, x == y, x != y]
