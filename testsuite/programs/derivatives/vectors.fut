-- Values together with derivatives, and several directions or weights at once. With f (x, y) = x x y + y the value at (2, 3) is 15, and the
-- derivatives are 2 x y = 12 and x x + 1 = 5.
def f (x: f64, y: f64) = x * x * y + y

-- ==
-- entry: forward
-- input { 2f64 3f64 } output { 15f64 12f64 15f64 [12f64, 5f64, 17f64] }
entry forward (x: f64) (y: f64) =
  let (value, along_x) = jvp2 f (x, y) (1, 0)
  let (same, all) = jmp2 f (x, y) [(1, 0), (0, 1), (1, 1)]
  in (value, along_x, same, all)

-- ==
-- entry: reverse
-- input { 2f64 3f64 } output { 15f64 24f64 10f64 }
entry reverse (x: f64) (y: f64) =
  let (value, (dx, dy)) = vjp2 f (x, y) 2
  in (value, dx, dy)

-- The cube and the square of x have the derivatives 3 x x and 2 x: at 2, these are 12 and 4.
-- ==
-- entry: weights
-- input { 2f64 } output { 8f64 4f64 [12f64, 4f64, 32f64] [12f64, 4f64, 32f64] }
def powers (x: f64) = (x * x * x, x * x)
entry weights (x: f64) =
  let ws = [(1, 0), (0, 1), (2, 2)]
  let ((cube, square), ds) = mjp2 powers x ws
  in (cube, square, ds, mjp powers x ws)

-- Records and arrays in arguments; no directions at all.
-- ==
-- entry: shapes
-- input { [1f64, 2f64, 3f64] 4f64 } output { [4f64, 8f64, 12f64] 14f64 [4f64, 4f64, 4f64] 0i64 }
entry shapes [n] (xs: [n]f64) (k: f64) =
  let scale (r: {k: f64, xs: [n]f64}) = map (* r.k) r.xs
  let (ys, r) = vjp2 scale {k, xs} xs
  let none = jmp (\x -> x * k) k (replicate 0 1)
  in (ys, r.k, map (\d -> d / 1) (vjp2 scale {k, xs} (map (const 1) xs)).1.xs, length none)

-- The gradient of a gradient's length: g (x) = (d/dx x^3)^2 = 9 x^4, so that its derivative is 36 x^3.
-- ==
-- entry: nested
-- input { 2f64 } output { 288f64 }
entry nested (x: f64) =
  (jvp2 (\x -> let d = (vjp2 (\z -> z * z * z) x 1).1 in d * d) x 1).1
