-- The points of the inner map only check a slice: each returns the same row.
-- ==
-- input { 2i64 [5i64, 6i64, 7i64] [3i64, -1i64, 0i64] } output { [[true, true], [true, true], [true, true]] }
-- input { 2i64 [5i64, 6i64, 7i64] [2i64, 1i64] } output { [[true, true], [true, true]] }
-- input { 0i64 [5i64] [3i64] } output { [empty([0]bool)] }
entry main [n] (m: i64) (xs: [n]i64) (es: []i64) : [][m]bool =
  map (\e ->
         reduce (map2 (==)) (replicate m true)
                (map (\_ -> (replicate m (e > 0), if m == 0 then [] else xs[0:m % (n + 1)]).0) (iota (e % 5))))
      es
