-- Small integers wrap.
-- ==
-- input { 255u8 -128i8 }
-- output { 0u8 127i8 }

def main (x: u8) (y: i8) : (u8, i8) = (x + 1, y - 1)
