-- Products of numbers that were converted from u32 overflow an i64: nothing is known of their order.
-- ==
-- entry: square
-- input { [1i32, 2i32, 3i32, 4i32, 5i32] 2u32 }
-- output { 5i32 }
-- input { [1i32, 2i32, 3i32, 4i32, 5i32] 4294967295u32 }
-- error: -8589934591.*out of bounds

-- ==
-- entry: remainder
-- input { [1i32, 2i32, 3i32, 4i32, 5i32, 6i32, 7i32] 10u32 }
-- output { 0i64 }
-- input { [1i32, 2i32, 3i32, 4i32, 5i32, 6i32, 7i32] 13u32 }
-- output { 4i64 }

-- ==
-- entry: cube
-- input { [1i32, 2i32, 3i32, 4i32, 5i32, 6i32, 7i32, 8i32, 9i32] 2u16 2u32 }
-- output { 9i32 }
-- input { [1i32, 2i32, 3i32] 65535u16 4294967295u32 }
-- error: out of bounds

entry square [n] (xs: [n]i32) (t: u32): i32 = xs[i64.u32 t * i64.u32 t]

entry remainder [n] (xs: [n]i32) (t: u32): i64 = (i64.u32 t * i64.u32 t) % (length xs - 2)

-- 65535 * 4294967295^2, modulo 2^64, is a large number.
entry cube [n] (xs: [n]i32) (a: u16) (b: u32): i32 = xs[i64.u16 a * i64.u32 b * i64.u32 b]
