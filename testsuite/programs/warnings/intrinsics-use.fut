-- Built-in functions are not meant for programs.
-- ==
-- input { 9f32 }
-- output { 3f32 }
-- warning: intrinsics

def main (x: f32) : f32 = intrinsics.sqrt_f32 x
