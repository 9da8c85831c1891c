-- Divisions by powers of two are shifts and masks where that is the same.

-- ==
-- entry: unsigned
-- input { [18446744073709551615u64, 0u64, 17u64] }
-- output { [2305843009213693951u64, 0u64, 2u64] [7u64, 0u64, 1u64] [1152921504606846975u64, 0u64, 1u64] [15u64, 0u64, 1u64] }
entry unsigned (xs: []u64) = (map (/ 8) xs, map (% 8) xs, map (// 16) xs, map (%% 16) xs)

-- ==
-- entry: signed
-- input { [-9i64, 9i64, -9223372036854775808i64] }
-- output { [-2i64, 1i64, -1152921504606846976i64] [7i64, 1i64, 0i64] [-1i64, 1i64, -1152921504606846976i64] [-1i64, 1i64, 0i64] }
entry signed (xs: []i64) = (map (/ 8) xs, map (% 8) xs, map (// 8) xs, map (%% 8) xs)

-- What is known to be natural may be divided in either way.
-- ==
-- entry: natural
-- input { [4294967295u32, 8u32, 7u32] }
-- output { [536870911i64, 1i64, 0i64] [7i64, 0i64, 7i64] }
entry natural (xs: []u32) = (map (\x -> i64.u32 x // 8) xs, map (\x -> i64.u32 x %% 8) xs)

-- Powers that are not known before divide by shifts in kernels, with all signs, and also the least number does; floats are multiplied by
-- inverses, an infinite one where a power is too large.
-- ==
-- entry: unknown
-- input { [7, -7, 0, -2147483648, 2147483647, -1, 5, -2147483648, 12345, -12345] [1, 1, 31, 31, 31, 31, 0, 30, 31, 31] }
-- output { [3, -4, 0, 1, -1, 0, 5, -2, -1, 0] [1, 1, 0, 0, -1, -1, 0, 0, -2147471303, -12345] [-1, -1, -1, -1, -1, -1, 1, 1, -1, -1] }
-- input { [1] [32] }
-- error: by zero
-- input { [1] [-1] }
-- error: egative exponent

entry unknown [n] (xs: [n]i32) (es: [n]i32) : ([n]i32, [n]i32, [n]i32) =
  unzip3 (map2 (\x e -> let y = 2 ** e in (x / y, x % y, (-1) ** e)) xs es)

-- ==
-- entry: floats
-- input { [3.0f32, -10.0f32, 7.0f32, -2.5f32, 0.5f32] [0, 3, 30, 31, 31] }
-- output { [3.0f32, -1.25f32, 6.51925802230835e-09f32, 1.1641532182693481e-09f32, -2.3283064365386963e-10f32] [3.0f64, -1.25f64, 6.51925802230835e-09f64, 1.1641532182693481e-09f64, -2.3283064365386963e-10f64] }
-- input { [3f32, -3f32, f32.inf] [32, 32, 40] }
-- output { [f32.inf, -f32.inf, f32.inf] [f64.inf, -f64.inf, f64.inf] }

entry floats [n] (xs: [n]f32) (es: [n]i32) : ([n]f32, [n]f64) =
  unzip (map2 (\x e -> (x / f32.i32 (2 ** e), f64.f32 x / f64.i32 (2 ** e))) xs es)
