-- Conversions between the integer types extend or cut bits (u32.i8 extends with zeros); from floats they truncate.
-- ==
-- entry: widen
-- input { -1i8 }
-- output { -1i32 -1i64 255u8 255u32 }
-- input { 100i8 }
-- output { 100i32 100i64 100u8 100u32 }

-- ==
-- entry: narrow
-- input { 4294967298i64 }
-- output { 2i32 2i8 2u16 }
-- input { 255i64 }
-- output { 255i32 -1i8 255u16 }
-- input { -1i64 }
-- output { -1i32 -1i8 65535u16 }

-- ==
-- entry: truncated
-- input { 2.75f32 }
-- output { 2i32 2i64 }
-- input { -2.75f32 }
-- output { -2i32 -2i64 }

-- ==
-- entry: floated
-- input { 16777217i32 }
-- output { 16777216f32 16777217f64 }

-- ==
-- entry: not_a_number
-- input {}
-- output { 0i32 0i64 }

-- ==
-- entry: truth
-- input { 3i32 }
-- output { true 1i32 0i32 }
-- input { 0i32 }
-- output { false 1i32 0i32 }

entry widen (x: i8) : (i32, i64, u8, u32) = (i32.i8 x, i64.i8 x, u8.i8 x, u32.i8 x)
entry narrow (x: i64) : (i32, i8, u16) = (i32.i64 x, i8.i64 x, u16.i64 x)
entry truncated (x: f32) : (i32, i64) = (i32.f32 x, i64.f32 x)
entry floated (x: i32) : (f32, f64) = (f32.i32 x, f64.i32 x)
entry not_a_number : (i32, i64) = (i32.f32 f32.nan, i64.f64 f64.nan)
entry truth (x: i32) : (bool, i32, i32) = (bool.i32 x, i32.bool true, i32.bool false)
