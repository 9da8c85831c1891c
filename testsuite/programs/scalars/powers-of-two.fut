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
