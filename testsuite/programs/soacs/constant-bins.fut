-- A bin that is the same number everywhere and lies outside: no kernel may index an array by it, not even where it never does.
-- ==
-- entry: above
-- input { 1i64 } output { [10i64, 10i64, 10i64] }

-- ==
-- entry: below
-- input { 4i64 } output { [0i32, 0i32, 0i32] }

entry above (n: i64) = reduce_by_index (replicate 3 10i64) i64.min i64.highest (map (\_ -> i64.highest) (iota n)) (iota n)
entry below (n: i64) = hist (+) 0i32 3 (replicate n (-1)) (replicate n 1i32)
