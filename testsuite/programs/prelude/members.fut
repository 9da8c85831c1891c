-- Members of the modules of numbers that need more than one instruction, on values that can be worked out by hand.

-- The upper half of a product: 2^30 8 = 2 2^32; 200 200 = 156 2^8 + 64; -10000 = -40 2^8 + 240; (2^64 - 1)^2 = (2^64 - 2) 2^64 + 1.
-- ==
-- entry: upper
-- input { 1073741824i32 200u8 -100i8 18446744073709551615u64 } output { 2i32 156u8 -40i8 18446744073709551614u64 7i32 3u16 }
entry upper (a: i32) (b: u8) (c: i8) (d: u64) =
  (i32.mul_hi a 8, u8.mul_hi b b, i8.mul_hi c 100, u64.mul_hi d d, i32.mad_hi a 8 5, u16.mad_hi 256 256 2)

-- ==
-- entry: bits
-- input { 40i32 40u8 0i64 } output { 26i32 3i32 2i32 2i32 3i32 2i32 64i32 64i32 1i32 0i32 44i32 8u8 }
entry bits (a: i32) (b: u8) (c: i64) =
  ( i32.clz a, i32.ctz a, i32.popc a, u8.clz b, u8.ctz b, u8.popc b, i64.clz c, i64.ctz c
  , i32.get_bit 3 a, i32.get_bit 2 a, i32.set_bit 2 a 1, u8.set_bit 5 b 0)

-- ==
-- entry: limits
-- input { 0i32 } output { -128i8 127i8 0u16 65535u16 -9223372036854775808i64 9223372036854775807i64 32i32 8i32 }
entry limits (_: i32) = (i8.lowest, i8.highest, u16.lowest, u16.highest, i64.lowest, i64.highest, i32.num_bits, u8.num_bits)

-- ==
-- entry: floats
-- input { 3f64 -0f64 } output { -3f64 5f64 48f64 10f64 2.5f64 0.25f64 3f64 2f64 -2f64 -2f64 4f64 0f64 }
entry floats (x: f64) (negative: f64) =
  ( f64.copysign x negative, f64.hypot x 4, f64.ldexp x 4, f64.fma 2 x 4, f64.lerp 2 4 0.25, f64.recip 4, f64.cbrt 27
  , f64.round 2.5, f64.round (-1.5), f64.trunc (-2.7), f64.ceil x + 1, f64.log1p (negative * 0))

-- The neighbour of 1 is 1 + 2^-23 in f32, 1 + 2^-10 in f16; the bits of 1 are an exponent of 127.
-- ==
-- entry: neighbours
-- input { 1f32 1f16 } output { 1065353217u32 1.0009766f16 1065353216u32 1f32 true }
entry neighbours (x: f32) (y: f16) =
  (f32.to_bits (f32.nextafter x 2), f16.nextafter y 2, f32.to_bits x, f32.from_bits 0x3f800000, f32.epsilon == f32.nextafter x 2 - x)

-- ==
-- entry: booleans
-- input { true false } output { 1i32 0u8 1f64 false true true }
entry booleans (a: bool) (b: bool) = (i32.bool a, u8.bool b, f64.bool a, bool.i32 0, bool.f32 0.5, bool.bool a)
