-- Each form of literal stands for the number that it says.
-- ==
-- entry: integers
-- input {} output { 255i32 5i32 1000i64 1994i32 -1i8 97u8 }

-- ==
-- entry: floats
-- input {} output { 1.5f64 1000f32 31.875f64 0.5f16 2f32 }

-- ==
-- entry: text
-- input {} output { [104u8, 105u8, 10u8, 206u8, 187u8] }

entry integers = (0xff, 0b101, 1_000i64, 0rMCMXCIV, -1i8, 'a' : u8)

entry floats = (1.5, 1e3f32, 0xf.fp1, 5.0e-1f16, 2f32)

entry text = "hi\nλ"
