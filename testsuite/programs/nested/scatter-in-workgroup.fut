-- A map whose body a workgroup may run, with operations in which each thread scatters and makes a histogram of its own.
-- ==
-- input { 8i64 4i64 }
-- output { [3i64, 3i64, 3i64, 3i64] }

entry main (n: i64) (m: i64) : [m]i64 =
  map (\_ ->
         reduce (|) 0
                (map (\k ->
                        let counts = reduce_by_index (replicate 3 k) (*) 1 (replicate m n) (replicate m n)
                        let rows = scan i64.min i64.highest (replicate 3 m)
                        in i64.maximum (scatter rows (map (\i -> (i + 1) % 3) (iota 3)) counts))
                     (iota (m % 5))))
      (replicate m 0i64)
