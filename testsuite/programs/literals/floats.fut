-- Float literals: decimal, with exponent, and hexadecimal.
-- ==
-- input {}
-- output { [1.5f32, 250.0f32, 0.125f32, 3.0f32] }

def main : [4]f32 = [1.5, 2.5e2, 1.25e-1f32, 0x1.8p1f32]
