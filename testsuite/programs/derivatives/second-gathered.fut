-- Forward mode of reverse mode: adjoints of elements that several points read in loops, and the derivatives of these, are added up side by
-- side. The sum of x[i]^3 + x[i+1]^3 for all even i has by an element x the derivative 3 x^2 each time that it is read, and that by all of x
-- together is 6 x.
-- ==
-- entry: gathered
-- input { [0i64, 2i64, 2i64] [1f64, 2f64, 3f64] } output { [9f64, 12f64, 54f64] [18f64, 12f64, 36f64] }
-- input { empty([0]i64) [1f64] } output { [0f64] [0f64] }
entry gathered [n] [p] (is: [p]i64) (xs: [n]f64) : ([n]f64, [n]f64) =
  let f xs = f64.sum (map (\i -> loop s = 0 for j < 2 - i % 2 do s + xs[(i + j) % n] * xs[(i + j) % n] * xs[(i + j) % n]) is)
  in jvp2 (\xs -> vjp f xs 1) xs (replicate n 1)

-- ==
-- entry: gathered32
-- input { [0i64, 2i64, 2i64] [1f32, 2f32, 3f32] } output { [9f32, 12f32, 54f32] [18f32, 12f32, 36f32] }
entry gathered32 [n] [p] (is: [p]i64) (xs: [n]f32) : ([n]f32, [n]f32) =
  let f xs = f32.sum (map (\i -> loop s = 0 for j < 2 - i % 2 do s + xs[(i + j) % n] * xs[(i + j) % n] * xs[(i + j) % n]) is)
  in jvp2 (\xs -> vjp f xs 1) xs (replicate n 1)
