-- What is known of an index is known of whole numbers, and the arithmetic that made it wraps: 9223372036854775807 - 10 + 3 is no
-- index of an array of 10 elements, and the remainder by 8 of the largest number is not that number.
-- ==
-- entry: beyond
-- input { 10i64 } error: Index \[9223372036854775797:9223372036854775800\] out of bounds

-- ==
-- entry: wrapped
-- input { [1, 2, 3, 4] 1i64 } output { [2, 3, 4] }
-- input { [1, 2, 3, 4] 9223372036854775806i64 } error: Index \[9223372036854775806:-9223372036854775807\] out of bounds

-- ==
-- entry: remainder
-- input { 10i64 } output { [0, 0, 0] }

entry beyond (n: i64) : []i32 =
  let i = i64.highest - n
  in (replicate n 0)[i:i + 3]

entry wrapped (xs: []i32) (i: i64) : []i32 = xs[i:i + 3]

-- 2^63 - 1 is 7 modulo 8.
entry remainder (n: i64) : [3]i32 =
  let i = i64.highest % (n - 3 + 1)
  in (replicate n 0)[i:i + 3] :> [3]i32

-- 2^63 is 2 modulo 3, so -2^63 - k is 1, 1 and 0: below zero for k = 0, and above where the subtraction wraps.
-- ==
-- entry: wrapping
-- input { 3i64 } output { [1i64, 1i64, 0i64] }

entry wrapping (n: i64) : []i64 = map (\k -> (i64.lowest - k) % n) (iota n)
