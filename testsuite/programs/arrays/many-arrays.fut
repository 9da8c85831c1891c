-- Kernels with more arrays than WebGPU promises to bind: they share buffers by type.
-- ==
-- entry: sums
-- input { [1i32, 2i32, 3i32] [1i64, 2i64, 3i64] [true, false, true] }
-- output { [91i32, 182i32, 273i32] [91i64, 182i64, 273i64] [true, false, true] [1i32, 2i32, 3i32] [13i64, 26i64, 39i64] }

-- ==
-- entry: updates
-- input { [2i64, 0i64, 5i64] [1i8, 2i8, 3i8] }
-- output { [2i32, 0i32, 1i32] [4i8, 0i8, 2i8] [6i64, 0i64, 3i64] [9i32, 2i32, 4i32] [4i8, 0i8, 2i8] [21i32, 2i32, 10i32] }

def times (k: i32) (xs: []i32) = #[noinline] map (* k) xs

entry sums [n] (xs: [n]i32) (ys: [n]i64) (bs: [n]bool) =
  let a = #[opaque] map (* 2) xs
  let b = #[opaque] map (* 3) xs
  let c = #[opaque] map (* 4) xs
  let d = #[opaque] map (* 5) xs
  let e = #[opaque] map (* 6) xs
  let f = #[opaque] map (* 7) xs
  let g = #[opaque] map (* 8) xs
  let h = #[opaque] map (* 9) xs
  let i = #[opaque] map (* 10) xs
  let j = #[opaque] map (* 11) xs
  let k = #[opaque] map (* 12) xs
  let l = #[opaque] map (* 13) ys
  let m = #[opaque] map (\b -> !b) bs
  in unzip5 (tabulate n (\p ->
       let s = xs[p] + a[p] + b[p] + c[p] + d[p] + e[p] + f[p] + g[p] + h[p] + i[p] + j[p] + k[p] + 13 * xs[p]
       in (s, i64.i32 s, !m[p] && bs[p], k[p] // 12, l[p])))

entry updates (is: [3]i64) (vs: [3]i8) =
  let a = scatter (replicate 3 0i32) is (map i32.i8 vs)
  let b = scatter (replicate 3 0i8) is (map (* 2) vs)
  let c = scatter (replicate 3 0i64) is (map (\v -> 3 * i64.i8 v) vs)
  let d = map2 (\v x -> i32.i8 v + x) vs [8, 0, 1]
  let (e, f) = unzip (map4 (\x y z w -> (y, x + i32.i8 y + i32.i64 z + w)) a b c d)
  in (a, b, c, d, e, f)
