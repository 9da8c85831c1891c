-- Forward derivatives: of a cube, of a product.
-- ==
-- entry: cube
-- input { 2f64 }
-- output { 12f64 }
-- input { -1f64 }
-- output { 3f64 }

-- ==
-- entry: product
-- input { 3f64 5f64 }
-- output { 5f64 3f64 }

entry cube (x: f64) : f64 = jvp (\y -> y * y * y) x 1
entry product (x: f64) (y: f64) : (f64, f64) =
  let f (a: f64, b: f64) = a * b
  in (jvp f (x, y) (1, 0), jvp f (x, y) (0, 1))
