-- The sign bit of a u32 is a digit when it becomes an i64.
-- ==
-- entry: to_i64
-- input { [0u32, 1u32, 2147483648u32, 4294967295u32] } output { [0i64, 1i64, 2147483648i64, 4294967295i64] }

-- ==
-- entry: from_bytes
-- input { [0u8, 255u8] } output { [0i64, 255i64] }

entry to_i64 [n] (xs: [n]u32) : [n]i64 = map i64.u32 xs

entry from_bytes [n] (xs: [n]u8) : [n]i64 = map i64.u8 xs
