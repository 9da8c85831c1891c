-- Functions with derivatives by the programmer.

-- The derivative is given the result: the root y of x has the derivative 1/2y.
-- ==
-- entry: roots
-- input { [4f32, 9f32] } output { [2f32, 3f32] [0.25f32, 0.16666667f32] }
def root (x: f32) : f32 = with_vjp f32.sqrt (\y dy -> dy / (2 * y)) x
entry roots (xs: []f32) = (map root xs, map (\x -> vjp root x 1) xs)

-- What is differentiated is not the function: a derivative that is wrong on purpose shows which one counts. Forward mode differentiates the
-- function.
-- ==
-- entry: counts
-- input { 3f32 } output { 9f32 42f32 6f32 }
def wrong (x: f32) : f32 = with_vjp (\x -> x * x) (\_ dy -> 42 * dy) x
entry counts (x: f32) = (wrong x, vjp wrong x 1, jvp wrong x 1)

-- What the function uses besides its argument counts as constant: of x y, only x has an adjoint; y gets that of the sum.
-- ==
-- entry: constants
-- input { 2f32 5f32 } output { 5f32 1f32 }
entry constants (x: f32) (y: f32) =
  vjp (\(x, y) -> with_vjp (\x -> x * y) (\_ dz -> dz * y) x + y) (x, y) 1

-- Arrays; a result with a size of its own; something that is kept for the derivative.
-- ==
-- entry: kept
-- input { [3f32, -1f32, 2f32] } output { [3f32, 10f32, 100f32] [6f32, 0f32, 4f32] }
def twice [n] (xs: [n]f32) : [2 * n]f32 =
  with_vjp (\xs -> (xs ++ xs) :> [2 * n]f32) (\_ dys -> map (\i -> dys[i] * dys[n + i]) (iota n)) xs
def squares [n] (xs: [n]f32) : [n]f32 =
  with_vjp_tape (\xs -> (map (* 2) xs, map (\x -> x * x) xs)) (\(ds, dys) -> map2 (*) ds dys) xs
entry kept (xs: [3]f32) =
  (vjp twice xs ([1, 2, 4, 3, 5, 25] :> [2 * 3]f32), vjp squares xs (map (\x -> if x > 0 then 1 else 0) xs))
