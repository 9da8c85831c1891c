-- The second derivative of x^4 is 12 x^2.
-- ==
-- input { 2f64 }
-- output { 48f64 }

def main (x: f64) : f64 = jvp (\y -> jvp (\z -> z * z * z * z) y 1) x 1

-- The third derivative of a sum of cubes, counted in bins, where branches do nothing but update: 6 for each index that is a bin.
-- ==
-- entry: third
-- input { true [0i64, 1i64, 2i64, 1i64, 5i64] 2f64 } output { 24f64 }
-- input { false [0i64, 1i64, 2i64, 1i64, 5i64] 2f64 } output { 0f64 }
entry third [n] (b: bool) (is: [n]i64) (x: f64) : f64 =
  let cubes (d: f64) = if b then map (\_ -> d * d * d) is else replicate n d
  let f (d: f64) = f64.sum (filter (\_ -> b) (reduce_by_index (replicate 3 0) (+) 0 is (cubes d)))
  in vjp (\p -> vjp (\q -> vjp f q 1f64) p 1f64) x 1f64
