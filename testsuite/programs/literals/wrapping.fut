-- A literal with a suffix is what fits of it, modulo two to the number of bits; without one it must fit (see
-- rejected/literal-overflow.fut).
-- ==
-- input {}
-- output { -128i8 44u8 -1i8 4464i16 0i32 }

-- 128 - 256, 300 - 256, 255 - 256, 70000 - 65536 and 2^32 - 2^32.
def main : (i8, u8, i8, i16, i32) = (128i8, 300u8, 0xFFi8, 70000i16, 0x1_0000_0000i32)
