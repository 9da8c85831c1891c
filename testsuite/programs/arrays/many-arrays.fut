-- Kernels with more arrays than WebGPU promises to bind: arrays of one size of element are bound as one buffer.
-- ==
-- entry: sums
-- input { [1i32, 2i32, 3i32] [1i64, 2i64, 3i64] [true, false, true] }
-- output { [91i32, 182i32, 273i32] [91i64, 182i64, 273i64] [true, false, true] [1i32, 2i32, 3i32] [13i64, 26i64, 39i64] }

-- ==
-- entry: updates
-- input { [2i64, 0i64, 5i64] [1i8, 2i8, 3i8] }
-- output { [2i32, 0i32, 1i32] [4i8, 0i8, 2i8] [6i64, 0i64, 3i64] [9i32, 2i32, 4i32] [4i8, 0i8, 2i8] [21i32, 2i32, 10i32] }

-- ==
-- entry: kinds
-- input { [1i8, -2i8, 3i8] [4i16, -5i16, 6i16] [7i32, -8i32, 9i32] [10i64, -11i64, 12i64] [200u8, 2u8, 3u8] [60000u16, 5u16, 6u16]
--         [4000000000u32, 8u32, 9u32] [18000000000000000000u64, 11u64, 12u64] [1.5f16, -2f16, 3f16] [4.5f32, -5f32, 6f32]
--         [7.25f64, -8f64, 9f64] [true, false, false] }
-- output { [3i8, -2i8, 1i8] [6i16, -5i16, 4i16] [9i32, -8i32, 7i32] [12i64, -11i64, 10i64] [3u8, 2u8, 200u8] [6u16, 5u16, 60000u16]
--          [9u32, 8u32, 4000000000u32] [12u64, 11u64, 18000000000000000000u64] [3f16, -2f16, 1.5f16] [6f32, -5f32, 4.5f32]
--          [9f64, -8f64, 7.25f64] [false, false, true] }

-- ==
-- entry: counts
-- input { [0i64, 1i64, 0i64, 7i64] [1i32, 2i32, 3i32, 4i32] [0.5f32, 1.5f32, 2.5f32, 3.5f32] [-7i8, 5i8, -3i8, 2i8]
--         [5000000000i64, 1i64, 2i64, 3i64] [9u16, 8u16, 7u16, 6u16] }
-- output { [4i32, 2i32] [3f32, 1.5f32] [-3i8, 5i8] [5000000002i64, 1i64] [7u16, 8u16] [3i32, 2i32] }

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

entry kinds [n] (a: [n]i8) (b: [n]i16) (c: [n]i32) (d: [n]i64) (e: [n]u8) (f: [n]u16) (g: [n]u32) (h: [n]u64) (i: [n]f16) (j: [n]f32)
                (k: [n]f64) (l: [n]bool) =
  let rows = tabulate n (\x -> let p = n - 1 - x
                               in (a[p], b[p], c[p], d[p], e[p], f[p], g[p], h[p], i[p], j[p], k[p], l[p]))
  in ( map (.0) rows, map (.1) rows, map (.2) rows, map (.3) rows, map (.4) rows, map (.5) rows, map (.6) rows, map (.7) rows
     , map (.8) rows, map (.9) rows, map (.10) rows, map (.11) rows)

entry counts [n] (is: [n]i64) (as: [n]i32) (bs: [n]f32) (cs: [n]i8) (ds: [n]i64) (es: [n]u16) =
  ( reduce_by_index (replicate 2 0) (+) 0 is as
  , reduce_by_index (replicate 2 0) (+) 0 is bs
  , reduce_by_index (replicate 2 i8.lowest) i8.max i8.lowest is cs
  , reduce_by_index (replicate 2 0) (+) 0 is ds
  , reduce_by_index (replicate 2 u16.highest) u16.min u16.highest is es
  , reduce_by_index (replicate 2 i32.lowest) i32.max i32.lowest is as)
