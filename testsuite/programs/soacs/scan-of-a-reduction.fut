-- A scan of what a reduction comes to, which reads no array: it stays behind the reduction.
-- ==
-- input { [3i64, 0i64, 4i64] }
-- output { [0u32, 0u32, 0u32] }

entry main [n] (es: [n]i64) : [n]u32 =
  map (\e ->
         (scan (+) 0
               (map (\_ -> reduce (^) 0 (map (\_ -> reduce (|) 0 (map (\_ -> 0u32) (iota (n % 5)))) (iota (e % 5))))
                    (iota 1)))[0])
      es
