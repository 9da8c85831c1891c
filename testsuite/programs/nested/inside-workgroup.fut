-- Maps whose body a workgroup runs, one construct an entry point: each computes what the same map computes when a thread runs the body.
-- Sizes are around those of subgroups and workgroups, and multiples of nothing.

def input (n: i64) (m: i64) : [n][m]i32 =
  tabulate_2d n m (\i j -> i32.i64 ((i * 7919 + j * 104729 + i * j * 31) % 1021) - 500)

def same [n] [m] (xss: [n][m]i64) (yss: [n][m]i64) : bool =
  and (map2 (\xs ys -> and (map2 (==) xs ys)) xss yss)

def longs [m] (xs: [m]i32) : [m]i64 = map i64.i32 xs

-- Several rows of m numbers, with each of two versions of a function.
def agree 'a [n] [m] (inside: [n][m]i32 -> [n][m]i64) (alone: [n][m]i32 -> [n][m]i64) (xss: [n][m]i32) : bool =
  same (inside xss) (alone xss)

def maps_and_scans [m] (xs: [m]i32) : [m]i64 =
  longs (scan (+) 0 (map (* 2) (scan i32.max i32.lowest xs)))

def reductions [m] (xs: [m]i32) : [m]i64 =
  let s = reduce (+) 0 xs
  let l = reduce i32.min i32.highest xs
  in longs (map (\x -> x * 3 - s + l) xs)

-- Composition of linear functions is associative, but does not commute.
def linear (a: i32, b: i32) (c: i32, d: i32) = (a * c, a * d + b)

def non_commutative [m] (xs: [m]i32) : [m]i64 =
  let ys = map (\x -> (x, 2 + x)) xs
  let (p, q) = reduce linear (1, 0) ys
  in longs (map (\(a, b) -> a * p + b * q) (scan linear (1, 0) ys))

def tuple (a: i32, b: i64, c: f32, d: bool) (e: i32, f: i64, g: f32, h: bool) =
  (a + e, i64.max b f, f32.min c g, d || h)

def tuples [m] (xs: [m]i32) : [m]i64 =
  let ys = map (\x -> (x, i64.i32 x, f32.i32 x, x % 3 == 0)) xs
  let (a, b, c, d) = reduce tuple (0, i64.lowest, f32.inf, false) ys
  let zs = scan tuple (0, i64.lowest, f32.inf, false) ys
  in map (\(e, f, g, h) -> i64.i32 (a + e) + b * 3 - f + i64.f32 (c + g) + i64.bool (d && h)) zs

def histograms [m] (xs: [m]i32) : [m]i64 =
  let h = hist (+) 0 17 (map (\x -> i64.i32 (x % 17)) xs) xs
  let g = hist i32.max i32.lowest 5 (map (\x -> i64.i32 (x % 6)) xs) xs
  in longs (map (\i -> h[i % 17] + g[i % 5] / 2) (iota m))

-- The operator is on two values: no atomic operation of a device.
def histogram_of_pairs [m] (xs: [m]i32) : [m]i64 =
  let h = reduce_by_index (replicate 7 (1i64, 2i32)) (\(a, b) (c, d) -> (a + c, i32.max b d)) (0, i32.lowest)
                          (map (\x -> i64.i32 (x % 9)) xs)
                          (map (\x -> (i64.i32 x, x)) xs)
  let sums = map (\(a, b) -> a + i64.i32 b) h
  in map (\i -> sums[i % 7]) (iota m)

def scatters [m] (xs: [m]i32) : [m]i64 =
  let is = map (\i -> if i % 3 == 0 then m - 1 - i else -1) (iota m)
  in longs (scan (+) 0 (scatter (map (* 2) xs) is xs))

def loops [m] (xs: [m]i32) : [m]i64 =
  let ys = loop ys = copy xs for _i < 5 do
             let zs = scan (+) 0 ys
             in map2 (\y z -> y ^ (z >> 2)) ys zs
  in longs ys

-- Each row takes another number of rounds.
def while_loops [m] (xs: [m]i32) : [m]i64 =
  let (ys, k) = loop (ys, k) = (copy xs, 0i32) while reduce (+) 0 (map i32.abs ys) > 100 do (map (// 2) ys, k + 1)
  in longs (map (+ k) ys)

def branches [m] (xs: [m]i32) : [m]i64 =
  let ys = loop ys = copy xs for i < 4 do
             let s = reduce (+) 0 ys
             in if s > 0
                then map2 (+) ys (scan i32.max 0 ys)
                else if s < -100 then map (\y -> y + i32.i64 i) (reverse ys) else ys
  in longs ys

def updates [m] (xs: [m]i32) : [m]i64 =
  let ys = scan (+) 0 xs
  let ys = ys with [m / 2] = ys[0] + ys[m - 1]
  let k = ys[m / 2]
  let zs = map (\i -> ys[(i * 7) % m] + k) (iota m)
  in longs (zs with [0:m / 2] = ys[0:m / 2])

def reals [m] (xs: [m]i32) : [m]i64 =
  let ys = scan (+) 0 (map f64.i32 xs)
  let s = reduce f64.max f64.lowest ys
  in map (\y -> i64.f64 (y * 2 - s)) ys

def small_types [m] (xs: [m]i32) : [m]i64 =
  let ys = map i8.i32 xs
  let bs = scan (||) false (map (> 100) ys)
  let us = scan (+) 0u8 (map u8.i8 ys)
  let fs = map2 (\b u -> if b then f16.u8 u else 1f16) bs us
  let most = reduce f16.max 0f16 fs
  in map3 (\f y b -> i64.i8 y + i64.f16 f + i64.f16 most + i64.bool b) fs ys bs

-- ==
-- entry: maps_and_scans_inside reductions_inside non_commutative_inside tuples_inside histograms_inside
-- input { 0i64 10i64 } output { true }
-- input { 3i64 1i64 } output { true }
-- input { 3i64 31i64 } output { true }
-- input { 3i64 32i64 } output { true }
-- input { 3i64 33i64 } output { true }
-- input { 2i64 255i64 } output { true }
-- input { 2i64 256i64 } output { true }
-- input { 2i64 257i64 } output { true }
-- input { 2i64 400i64 } output { true }

-- ==
-- entry: histogram_of_pairs_inside scatters_inside loops_inside while_loops_inside branches_inside updates_inside reals_inside small_types_inside
-- input { 0i64 10i64 } output { true }
-- input { 3i64 1i64 } output { true }
-- input { 3i64 31i64 } output { true }
-- input { 3i64 32i64 } output { true }
-- input { 3i64 33i64 } output { true }
-- input { 2i64 255i64 } output { true }
-- input { 2i64 256i64 } output { true }
-- input { 2i64 257i64 } output { true }
-- input { 2i64 400i64 } output { true }

entry maps_and_scans_inside (n: i64) (m: i64) : bool =
  agree (\x -> #[flattening(only_intra)] map maps_and_scans x) (\x -> #[sequential_inner] map maps_and_scans x) (input n m)

entry reductions_inside (n: i64) (m: i64) : bool =
  agree (\x -> #[flattening(only_intra)] map reductions x) (\x -> #[sequential_inner] map reductions x) (input n m)

entry non_commutative_inside (n: i64) (m: i64) : bool =
  agree (\x -> #[flattening(only_intra)] map non_commutative x) (\x -> #[sequential_inner] map non_commutative x) (input n m)

entry tuples_inside (n: i64) (m: i64) : bool =
  agree (\x -> #[flattening(only_intra)] map tuples x) (\x -> #[sequential_inner] map tuples x) (input n m)

entry histograms_inside (n: i64) (m: i64) : bool =
  agree (\x -> #[flattening(only_intra)] map histograms x) (\x -> #[sequential_inner] map histograms x) (input n m)

entry histogram_of_pairs_inside (n: i64) (m: i64) : bool =
  agree (\x -> #[flattening(only_intra)] map histogram_of_pairs x) (\x -> #[sequential_inner] map histogram_of_pairs x) (input n m)

entry scatters_inside (n: i64) (m: i64) : bool =
  agree (\x -> #[flattening(only_intra)] map scatters x) (\x -> #[sequential_inner] map scatters x) (input n m)

entry loops_inside (n: i64) (m: i64) : bool =
  agree (\x -> #[flattening(only_intra)] map loops x) (\x -> #[sequential_inner] map loops x) (input n m)

entry while_loops_inside (n: i64) (m: i64) : bool =
  agree (\x -> #[flattening(only_intra)] map while_loops x) (\x -> #[sequential_inner] map while_loops x) (input n m)

entry branches_inside (n: i64) (m: i64) : bool =
  agree (\x -> #[flattening(only_intra)] map branches x) (\x -> #[sequential_inner] map branches x) (input n m)

entry updates_inside (n: i64) (m: i64) : bool =
  agree (\x -> #[flattening(only_intra)] map updates x) (\x -> #[sequential_inner] map updates x) (input n m)

entry reals_inside (n: i64) (m: i64) : bool =
  agree (\x -> #[flattening(only_intra)] map reals x) (\x -> #[sequential_inner] map reals x) (input n m)

entry small_types_inside (n: i64) (m: i64) : bool =
  agree (\x -> #[flattening(only_intra)] map small_types x) (\x -> #[sequential_inner] map small_types x) (input n m)

-- Chosen by sizes, as arrays that do not fit a workgroup take another version.
-- ==
-- entry: long_rows
-- input { 3i64 1000i64 } output { true }
-- input { 40i64 777i64 } output { true }

entry long_rows (n: i64) (m: i64) : bool =
  let xss = input n m
  in agree (\x -> map non_commutative x) (\x -> #[sequential_inner] map non_commutative x) xss
     && agree (\x -> map tuples x) (\x -> #[sequential_inner] map tuples x) xss
     && agree (\x -> map loops x) (\x -> #[sequential_inner] map loops x) xss
     && agree (\x -> map branches x) (\x -> #[sequential_inner] map branches x) xss

-- Matrices inside of a workgroup: segmented operations, with more and fewer rows than it has threads.
def squares [m] (xs: [m]i32) : [m]i64 =
  let a = map (\x -> map (\y -> x * y) xs) xs
  let b = map (\i -> map (\j -> a[j, i] + 1) (iota m)) (iota m)
  in longs (map2 (+) (map (reduce (+) 0) (transpose b)) (map (\r -> (scan (+) 0 r)[m / 2]) a))

def few_rows [m] (xs: [m]i32) : [m]i64 =
  let a = map (\k -> map (\x -> x * k) xs) [2, 3, 5]
  let s = map (reduce (+) 0) a
  let t = map (\r -> (reduce linear (1, 0) (map (\x -> (x, x + 1)) (scan (+) 0 r))).1) a
  in longs (map (\i -> s[i % 3] + t[(i + 1) % 3]) (iota m))

-- ==
-- entry: matrices
-- input { 3i64 1i64 } output { true }
-- input { 3i64 9i64 } output { true }
-- input { 2i64 16i64 } output { true }
-- input { 2i64 40i64 } output { true }

entry matrices (n: i64) (m: i64) : bool =
  let xss = input n m
  in agree (\x -> #[flattening(only_intra)] map squares x) (\x -> #[sequential_inner] map squares x) xss
     && agree (\x -> #[flattening(only_intra)] map few_rows x) (\x -> #[sequential_inner] map few_rows x) xss

-- A failing check stops the workgroup, and says where and why.
-- ==
-- entry: fails
-- input { 4i64 300i64 280i64 } error: Index \[1279\] out of bounds for array of shape \[300\]
-- input { 4i64 300i64 300i64 } output { [45150i64, 45150i64, 45150i64, 45150i64] }

entry fails (n: i64) (m: i64) (at: i64) : [n]i64 =
  #[flattening(only_intra)]
  map (\k ->
         let ys = scan (+) 0 (replicate m 1)
         let zs = map (\i -> ys[i + if i == at then k + 999 else 0]) (iota m)
         in reduce (+) 0 zs)
      (replicate n 0)
