-- What is computed of a sum for later kernels has no launch of its own: its readers compute it.
-- ==
-- entry: normalised
-- input { [1f32, 2f32, 5f32] }
-- output { [0.125f32, 0.25f32, 0.625f32] [-1.25f32, 0f32, 3.75f32] }
-- input { [4f32] }
-- output { [1f32] [0f32] }

-- ==
-- entry: rounds
-- input { 3i32 [1f32, 3f32] }
-- output { [0.125f32, 0.375f32] }
-- input { 0i32 [1f32, 3f32] }
-- output { [1f32, 3f32] }

-- ==
-- entry: everyone
-- input { 4i64 [3i32, 1i32, 0i32, 2i32] }
-- output { [25i32, 13i32, 7i32, 19i32] [25i32, 38i32, 45i32, 64i32] [1i32, 1i32, 1i32, 1i32] 64i32 6i32 }

-- ==
-- entry: chosen
-- input { true [1i32, 2i32, 3i32] }
-- output { [8i32, 9i32, 10i32] 7i32 }
-- input { false [1i32, 2i32, 3i32] }
-- output { [-6i32, -5i32, -4i32] 7i32 }

-- ==
-- entry: divided
-- input { [1i32, 2i32, 3i32] [6i32, 0i32] }
-- output { [2i32, 4i32, 6i32] }
-- input { [1i32, -1i32] [6i32, 0i32] }
-- error: [Dd]ivision by zero

-- ==
-- entry: doubles
-- input { [1f64, 2f64, 5f64] }
-- output { [0.125f64, 0.25f64, 0.625f64] }

-- ==
-- entry: rows
-- input { [[1f32, 2f32], [3f32, 2f32]] }
-- output { [[2f32, 4f32], [6f32, 4f32]] [6f32, 10f32] }

-- Two scalars of one map, read by two kernels.
entry normalised [n] (xs: [n]f32) : ([n]f32, [n]f32) =
  let s = f32.sum xs
  let inverse = 1 / s
  let shift = s * 0.125 + 1
  in (map (* inverse) xs, map (\x -> (x - shift) * 1.25 - if n == 1 then 3.125 else 0) (map (\x -> if n == 1 then x else x) xs))

-- In a loop on the host, where each round has its own.
entry rounds [n] (k: i32) (xs: [n]f32) : [n]f32 =
  loop xs for i < k do
    let s = f32.sum xs
    let factor = 1 / (s + f32.i32 (i * 0))
    let factor = if i == 0 then 1 / (s * 0 + 2) else factor
    in map (* (if i == 2 then 0.5 else factor)) xs

-- By a map, a scan's operand, a histogram's value and the host.
entry everyone [n] (k: i64) (xs: [n]i32) : ([n]i32, [n]i32, [k]i32, i32, i32) =
  let s = i32.sum xs
  let t = s * s - 30
  let ys = map (\x -> x * t + s + 1) xs
  let zs = scan (+) 0 (map (\x -> x * t + s + 1) xs)
  let hs = hist (+) 0 k (map i64.i32 xs) (map (\_ -> t - 5) xs)
  in (ys, zs, hs, i32.sum ys, t)

-- Read on both sides of a branch, and after it.
entry chosen [n] (b: bool) (xs: [n]i32) : ([n]i32, i32) =
  let t = i32.sum xs + 1
  let ys = if b then map (+ t) xs else map (\x -> x - t) xs
  in (ys, t)

-- A division that a check guards stays where it is.
entry divided [n] [m] (xs: [n]i32) (ys: [m]i32) : [n]i32 =
  let q = (i32.sum ys * 2) / i32.sum xs
  in map (* q) xs

entry doubles [n] (xs: [n]f64) : [n]f64 =
  let f = 1 / f64.sum xs
  in map (* f) xs

-- Inside of workgroups, and as what a reduction begins with.
entry rows [n] [m] (xss: [n][m]f32) : ([n][m]f32, [n]f32) =
  let s = f32.sum (flatten xss)
  let f = s / 4
  let yss = map (map (* f)) xss
  in (yss, map (\ys -> reduce (+) 0 ys) yss)
