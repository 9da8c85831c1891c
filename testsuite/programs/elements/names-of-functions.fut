-- Variables and parameters may be called like the functions with which printed kernels access arrays and compute.
-- ==
-- entry: loads
-- input { [1u8, 2u8, 3u8, 4u8, 5u8] [0i64, 1i64, 2i64, 3i64] }
-- output { [1i64, 9i64, 44i64, 178i64] }

-- ==
-- entry: quotients
-- input { [7i64, -7i64, 9i64] 2i64 }
-- output { [4i64, -3i64, 5i64] }
-- input { [7i64] 0i64 }
-- error: ivision by zero

-- ==
-- entry: floats
-- input { [4f32, 9f32] 2f32 1f32 }
-- output { [5f32, 6f32] }

entry loads (xs: []u8) (is: []i64): []i64 =
  map (\i -> let load_xs = i + 1
             in loop a = load_xs for k < i do a * 3 + i64.u8 xs[k] + load_xs)
      is

entry quotients (xs: []i64) (div_i64: i64): []i64 =
  map (\x -> let claim_failure = x / div_i64
             let note_value = x % div_i64
             in claim_failure + note_value)
      xs

entry floats (xs: []f32) (sqrt_f32: f32) (max_f32: f32): []f32 =
  map (\x -> f32.sqrt x * f32.max sqrt_f32 max_f32 / 2 + f32.sqrt (x * sqrt_f32 * sqrt_f32 / 4) / f32.sqrt x + sqrt_f32) xs
