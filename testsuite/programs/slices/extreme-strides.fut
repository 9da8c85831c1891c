-- Slices whose bounds or strides are as large as numbers are: what does not fit is refused, and nothing overflows.
-- ==
-- entry: slice
-- input { 10i64 0i64 9i64 4611686018427387904i64 } output { [0i64] }
-- input { 10i64 9i64 10i64 9223372036854775807i64 } output { [9i64] }
-- input { 10i64 9i64 -1i64 -2i64 } output { [9i64, 7i64, 5i64, 3i64, 1i64] }
-- input { 10i64 0i64 9i64 9223372036854775807i64 } error: Index \[0:9:9223372036854775807\] out of bounds
-- input { 10i64 0i64 9223372036854775807i64 2i64 } error: out of bounds
-- input { 10i64 9i64 0i64 -9223372036854775808i64 } error: Index \[9:0:-9223372036854775808\] out of bounds
-- input { 10i64 9i64 -9223372036854775808i64 -1i64 } error: out of bounds
-- input { 10i64 9i64 -9223372036854775808i64 -9223372036854775808i64 } error: out of bounds
-- input { 10i64 0i64 9i64 0i64 } error: out of bounds

-- ==
-- entry: every_second
-- input { 10i64 1i64 9i64 } output { [1i64, 3i64, 5i64, 7i64] }
-- input { 10i64 0i64 9223372036854775807i64 } error: out of bounds

entry slice (n: i64) (a: i64) (b: i64) (s: i64) = (iota n)[a:b:s]

entry every_second (n: i64) (a: i64) (b: i64) = (iota n)[a:b:2]
