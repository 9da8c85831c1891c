-- The derivative of rows some of which a scatter overwrites: what it wrote and what it left both add to one element, one kernel of updates
-- after the other. All points of the second meet there, so a reduction comes before it (Note [Updates that meet] in package flatten).

-- ==
-- input { 31i64 1i64 2i64 [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64], [7f64, 8f64, 9f64]] }
-- output { [[0f64, 0f64, 0f64], [0f64, 0f64, 9f64], [0f64, 0f64, 0f64]] }
-- input { 2i64 0i64 1i64 [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64], [7f64, 8f64, 9f64]] }
-- output { [[0f64, 12f64, 0f64], [0f64, 0f64, 0f64], [0f64, 0f64, 0f64]] }
-- input { 0i64 2i64 0i64 [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64], [7f64, 8f64, 9f64]] }
-- output { [[0f64, 0f64, 0f64], [0f64, 0f64, 0f64], [18f64, 0f64, 0f64]] }
entry main (n: i64) (k: i64) (m: i64) (x: [3][3]f64) : [3][3]f64 =
  vjp (\d -> map (\_ ->
                map (\row -> row[m])
                    (scatter (map (\_ -> map (\_ -> 2 * d[k, m]) d[k]) (iota 3)) (iota n) (map (\_ -> map (\y -> y) d[k]) (iota n))))
              (iota 3))
      x (replicate 3 (replicate 3 1))
