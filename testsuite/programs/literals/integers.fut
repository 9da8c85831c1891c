-- Integer literals in each base, with and without a suffix.
-- ==
-- entry: bases
-- input {}
-- output { [255i32, 255i32, 5i32, 1000000i32] }

-- ==
-- entry: extremes
-- input {}
-- output { -128i8 255u8 -32768i16 65535u16 }

entry bases : [4]i32 = [0xFF, 0b1111_1111, 0b101, 1_000_000]

entry extremes : (i8, u8, i16, u16) = (-128i8, 255u8, -32768i16, 65535u16)
