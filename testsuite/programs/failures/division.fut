-- Integer division by zero is an error; of floats it is not.
-- ==
-- entry: ints
-- input { 6 3 }
-- output { 2 0 }
-- input { 6 0 }
-- error: by zero

-- ==
-- entry: floats
-- input { 6f32 0f32 }
-- output { f32.inf }

entry ints (x: i32) (y: i32) : (i32, i32) = (x / y, x % y)
entry floats (x: f32) (y: f32) : f32 = x / y
