-- Derivatives of SOACs, worked out by hand.

-- x0, x0 x1, x0 x1 x2 in the direction of x0.
-- ==
-- entry: scanned
-- input { [2f32, 3f32, 4f32] [1f32, 0f32, 0f32] }
-- output { [1f32, 3f32, 12f32] }
entry scanned [n] (xs: [n]f32) (dxs: [n]f32) = jvp (\ys -> scan (*) 1 ys) xs dxs

-- ==
-- entry: largest
-- input { [1f32, 5f32, 3f32] }
-- output { [0f32, 1f32, 0f32] }
entry largest [n] (xs: [n]f32) = vjp (\ys -> reduce f32.max 0 ys) xs 1

-- ==
-- entry: counted
-- input { [1f32, 2f32, 3f32] [10f32, 20f32] }
-- output { [10f32, 20f32, 10f32] }
entry counted (xs: [3]f32) (dys: [2]f32) = vjp (\ys -> hist (+) 0 2 [0, 1, 0] ys) xs dys

-- ==
-- entry: scattered
-- input { [5f32, 7f32] [1f32, 2f32, 3f32] }
-- output { [3f32, 1f32] }
entry scattered (xs: [2]f32) (dys: [3]f32) = vjp (\ys -> scatter (replicate 3 0) [2, 0] ys) xs dys

-- ==
-- entry: updated
-- input { [2f32, 3f32, 5f32] [1f32, 10f32, 100f32] }
-- output { [350f32, 10f32, 100f32] }
entry updated (xs: [3]f32) (dxs: [3]f32) = jvp (\ys -> copy ys with [0] = ys[1] * ys[2]) xs dxs

#[noinline]
def cube (x: f32) : f32 = x * x * x

-- A function that is called, and one that calls it in a map: 3 x^2 each.
-- ==
-- entry: called
-- input { [1f32, 2f32] }
-- output { [3f32, 12f32] [3f32, 12f32] }
entry called (xs: [2]f32) = (jvp (map cube) xs [1, 1], vjp (\ys -> f32.sum (map cube ys)) xs 1)

-- x^8 from 3: 8 * 3^7.
-- ==
-- entry: squared
-- input { 3f32 }
-- output { 17496f32 17496f32 }
entry squared (x: f32) =
  let f x = loop y = x while y < 100 do y * y
  in (jvp f x 1, vjp f x 1)

-- ==
-- entry: directions
-- input { 3f32 4f32 }
-- output { [4f32, 3f32] [1f32, 6f32] }
entry directions (x: f32) (y: f32) =
  ( jmp (\(a, b) -> a * b) (x, y) [(1, 0), (0, 1)]
  , mjp (\a -> [a, a * a]) x [[1, 0], [0, 1]]
  )

-- Rows of a matrix, and an argument that is no number.
-- ==
-- entry: rows
-- input { [[1f32, 2f32], [3f32, 4f32]] }
-- output { [[2f32, 4f32], [6f32, 8f32]] }
entry rows (xss: [2][2]f32) =
  (vjp (\(yss, _) -> f32.sum (map (\ys -> f32.sum (map (\y -> y * y) ys)) yss)) (xss, true) 1).0

-- Integers have derivatives, too.
-- ==
-- entry: integers
-- input { 2 }
-- output { 12 }
entry integers (x: i32) = vjp (\y -> y * y * y) x 1

-- The derivative of a derivative.
-- ==
-- entry: twice
-- input { 2f32 }
-- output { 12f32 12f32 }
entry twice (x: f32) =
  let f (x: f32) = x * x * x
  in (jvp (\y -> jvp f y 1) x 1, vjp (\y -> vjp f y 1) x 1)

-- A derivative passes through an integer.
-- ==
-- entry: through
-- input { 3f32 }
-- output { 6f32 }
entry through (x: f32) = vjp (\y -> f32.i32 (i32.f32 y) * y) x 1
