-- Arrays that change places in loops inside of maps: stages that write one buffer from the other, as those of an FFT, in a workgroup, in a
-- thread, and with three arrays in a circle; and no iterations. Reversing with one added each time: after k stages element i is x[i] + k for
-- even k, and x[n - 1 - i] + k for odd k.
-- ==
-- entry: workgroup thread
-- input { [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] 4i64 } output { [[5i32, 6i32, 7i32], [8i32, 9i32, 10i32]] }
-- input { [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] 3i64 } output { [[6i32, 5i32, 4i32], [9i32, 8i32, 7i32]] }
-- input { [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] 0i64 } output { [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] }

-- ==
-- entry: circle
-- input { [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] 4i64 } output { [[11i32, 2i32, 3i32], [14i32, 5i32, 6i32]] }

def stage [n] (a: [n]i32) (b: *[n]i32) : *[n]i32 =
  scatter b (map (\i -> n - 1 - i) (iota n)) (map (+ 1) a)

def stages [n] (k: i64) (xs: [n]i32) : [n]i32 =
  let a = copy xs
  let b = replicate n 0
  in (loop (a, b) for _i < k do (stage a b, a)).0

entry workgroup [m] [n] (xss: [m][n]i32) (k: i64) : [m][n]i32 =
  #[incremental_flattening(only_intra)] map (stages k) xss

entry thread [m] [n] (xss: [m][n]i32) (k: i64) : [m][n]i32 =
  #[incremental_flattening(only_inner)] #[sequential_inner] map (stages k) xss

-- In each iteration the first array takes 10 more at its start and becomes the last one: after four the second one, changed once, is first.
entry circle [m] [n] (xss: [m][n]i32) (k: i64) : [m][n]i32 =
  #[sequential_inner]
  map (\xs ->
         let (a, b, c) = (copy xs, copy xs, copy xs)
         let add (ys: *[n]i32) = ys with [0] = ys[0] + 10
         in (loop (a, b, c) for _i < k do (b, c, add a)).0)
      xss
