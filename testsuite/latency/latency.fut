-- Calls whose time is mostly not that of their kernels. See main.go.

entry sum [n] (xs: [n]i32) : i32 = i32.sum xs

-- The condition of each round is computed on the device and read back.
entry rounds [n] (xs: [n]i32) (most: i32) : i32 =
  let (_, count) =
    loop (xs, count) = (xs, 0)
    while i32.sum xs < most do (map (+ 1) xs, count + 1)
  in count

entry triad [n] (xs: [n]f32) (ys: [n]f32) : [n]f32 =
  map2 (\x y -> x + 3 * y) xs ys
