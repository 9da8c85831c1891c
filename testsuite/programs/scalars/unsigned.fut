-- Unsigned arithmetic wraps at zero, divides without a sign, and compares without one.
-- ==
-- entry: bytes
-- input { 3u8 5u8 }
-- output { 254u8 15u8 0u8 3u8 true }
-- input { 200u8 100u8 }
-- output { 100u8 32u8 2u8 0u8 false }

-- ==
-- entry: shorts
-- input { 0u16 1u16 }
-- output { 65535u16 0u16 true }

-- ==
-- entry: words
-- input { 4294967295u32 2u32 }
-- output { 2147483647u32 1u32 2147483647u32 false }

-- ==
-- entry: longs
-- input { 18446744073709551615u64 10u64 }
-- output { 1844674407370955161u64 5u64 18014398509481983u64 false }

entry bytes (x: u8) (y: u8) : (u8, u8, u8, u8, bool) = (x - y, x * y, x / y, x % y, x < y)
entry shorts (x: u16) (y: u16) : (u16, u16, bool) = (x - y, x * y, x < y)
entry words (x: u32) (y: u32) : (u32, u32, u32, bool) = (x / y, x % y, x >> 1, x < y)
entry longs (x: u64) (y: u64) : (u64, u64, u64, bool) = (x / y, x % y, x >> y, x < y)
