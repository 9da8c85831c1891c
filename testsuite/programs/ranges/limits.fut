-- Where a range ends before it begins is an error, except that it may exclude all: the last element would be before the first.
-- ==
-- entry: inclusive
-- input { 1 3 }
-- output { [1, 2, 3] }
-- input { 1 1 }
-- output { [1] }
-- input { 1 0 }
-- error: is invalid

-- ==
-- entry: upwards
-- input { 1 1 }
-- output { empty([0]i32) }
-- input { 1 0 }
-- error: is invalid

-- ==
-- entry: downwards
-- input { 1 1 }
-- output { empty([0]i32) }
-- input { 0 1 }
-- error: is invalid

-- ==
-- entry: stepped
-- input { 1 3 2 }
-- output { [1] }
-- input { 5 4 5 }
-- output { [5] }
-- input { 5 3 0 }
-- output { [5, 3, 1] }
-- input { 5 5 5 }
-- error: is invalid
-- input { 1 2 0 }
-- error: is invalid

-- ==
-- entry: stepped_upwards
-- input { 0 1 0 }
-- output { empty([0]i32) }
-- input { 0 0 0 }
-- error: is invalid
-- input { 5 4 5 }
-- error: is invalid

-- ==
-- entry: narrow
-- input { 250u8 255u8 }
-- output { [250u8, 251u8, 252u8, 253u8, 254u8, 255u8] }

-- ==
-- entry: far_inclusive
-- input { -9223372036854775808i64 0i64 9223372036854775807i64 }
-- output { [-9223372036854775808i64, 0i64] }
-- input { 9223372036854775807i64 -1i64 -9223372036854775808i64 }
-- output { [9223372036854775807i64, -1i64] }
-- input { -9223372036854775808i64 9223372036854775807i64 9223372036854775807i64 }
-- output { [-9223372036854775808i64, 9223372036854775807i64] }
-- input { 5i64 9223372036854775807i64 6i64 }
-- output { [5i64] }
-- input { -9223372036854775808i64 -9223372036854775807i64 9223372036854775807i64 }
-- error: is invalid
-- input { 0i64 1i64 9223372036854775807i64 }
-- error: is invalid

-- ==
-- entry: far_upwards
-- input { -9223372036854775808i64 0i64 9223372036854775807i64 }
-- output { [-9223372036854775808i64, 0i64] }
-- input { -9223372036854775808i64 9223372036854775807i64 9223372036854775807i64 }
-- output { [-9223372036854775808i64] }
-- input { -9223372036854775808i64 -9223372036854775807i64 9223372036854775807i64 }
-- error: is invalid

-- ==
-- entry: far_consecutive
-- input { 9223372036854775806i64 9223372036854775807i64 }
-- output { [9223372036854775806i64, 9223372036854775807i64] }
-- input { 0i64 9223372036854775807i64 }
-- error: is invalid
-- input { -9223372036854775808i64 9223372036854775807i64 }
-- error: is invalid

-- ==
-- entry: far_unsigned
-- input { 9223372036854775807u64 9223372036854775809u64 }
-- output { [9223372036854775807u64, 9223372036854775808u64] }
-- input { 9223372036854775808u64 1u64 }
-- error: is invalid

entry inclusive (a: i32) (b: i32) = a...b
entry upwards (a: i32) (b: i32) = a..<b
entry downwards (a: i32) (b: i32) = a..>b
entry stepped (a: i32) (second: i32) (b: i32) = a..second...b
entry stepped_upwards (a: i32) (second: i32) (b: i32) = a..second..<b
-- The end is the greatest number of the type.
entry narrow (a: u8) (b: u8) = a...b
-- Distances that the type does not hold.
entry far_inclusive (a: i64) (second: i64) (b: i64) = a..second...b
entry far_upwards (a: i64) (second: i64) (b: i64) = a..second..<b
entry far_consecutive (a: i64) (b: i64) = a...b
entry far_unsigned (a: u64) (b: u64) = a..<b
