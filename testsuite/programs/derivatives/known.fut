-- Derivatives of functions whose derivatives are known.
-- ==
-- entry: polynomial
-- input { 2f64 } output { 32f64 32f64 48f64 }

-- ==
-- entry: gradient
-- input { [1f64, 2f64, 3f64] } output { [2f64, 4f64, 6f64] }

-- A row and a column of the matrix of a linear function.
-- ==
-- entry: linear
-- input { [[1f64, 2f64], [3f64, 4f64]] } output { [2f64, 4f64] [3f64, 4f64] }

-- Branches count as they are taken.
-- ==
-- entry: absolute
-- input { 3f32 } output { 1f32 }
-- input { -3f32 } output { -1f32 }

-- ==
-- entry: inner
-- input { 3f64 } output { 1f64 }

entry polynomial (x: f64) =
  let f (x: f64) = x ** 4
  in (jvp f x 1, vjp f x 1, jvp (\x -> vjp f x 1) x 1)

entry gradient (xs: []f64) = vjp (\xs -> f64.sum (map (\x -> x * x) xs)) xs 1

entry linear (m: [2][2]f64) =
  let f (v: [2]f64) = map (\row -> f64.sum (map2 (*) row v)) m
  in (jvp f [0, 0] [0, 1], vjp f [0, 0] [0, 1])

entry absolute (x: f32) = vjp (\x -> if x < 0 then -x else x) x 1

-- The inner derivative is by y alone; x is constant to it.
entry inner (x: f64) = jvp (\x -> x * jvp (\y -> x + y) 1 1) x 1

-- Of equal elements, the first one is the extremum; the neutral element comes before all.
-- ==
-- entry: extremes
-- input { [1.0, 3.0, -2.0, 3.0, -2.0] } output { [0.0, 5.0, 0.0, 0.0, 0.0] [0.0, 0.0, 7.0, 0.0, 0.0] }
-- input { [-f64.inf, -f64.inf] } output { [0.0, 0.0] [7.0, 0.0] }
-- input { [f64.inf, 4.0] } output { [5.0, 0.0] [0.0, 7.0] }
-- input { empty([0]f64) } output { empty([0]f64) empty([0]f64) }
entry extremes [n] (xs: [n]f64): ([n]f64, [n]f64) = (vjp f64.maximum xs 5, vjp f64.minimum xs 7)

-- ==
-- entry: extremes_of_rows
-- input { [[1, 3, 2], [4, 4, 0]] } output { [[0, 1, 0], [10, 0, 0]] }
entry extremes_of_rows [n] [m] (xss: [n][m]i32): [n][m]i32 = vjp (map i32.maximum) xss (map i32.i64 (map (10 **) (iota n)))
