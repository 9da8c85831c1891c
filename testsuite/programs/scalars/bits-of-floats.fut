-- The bits of a float and back.
-- ==
-- input { 1f32 }
-- output { 1065353216u32 1f32 }
-- input { -2f32 }
-- output { 3221225472u32 -2f32 }

def main (x: f32) : (u32, f32) = (f32.to_bits x, f32.from_bits (f32.to_bits x))
