-- Threads of workgroups that take several elements each of what is parallel inside: each entry computes what the same map computes when a
-- thread runs the body. Sizes are around those of tiles (threads times factor), and multiples of nothing.

def input (n: i64) (m: i64) : [n][m]i32 =
  tabulate_2d n m (\i j -> i32.i64 ((i * 7919 + j * 104729 + i * j * 31) % 1021) - 500)

def same [n] [m] (xss: [n][m]i64) (yss: [n][m]i64) : bool =
  and (map2 (\xs ys -> and (map2 (==) xs ys)) xss yss)

def longs [m] (xs: [m]i32) : [m]i64 = map i64.i32 xs

-- Composition of linear functions is associative, but does not commute.
def linear (a: i32, b: i32) (c: i32, d: i32) = (a * c, a * d + b)
def long_linear (a: i64, b: i64) (c: i64, d: i64) = (a * c, a * d + b)

def pairs [m] (xs: [m]i32) = map (\x -> (x, 2 + x)) xs

def maps [m] (xs: [m]i32) : [m]i64 = longs (map (\x -> x * 3 - 1) xs)
def sums [m] (xs: [m]i32) : [m]i64 =
  let (s, l) = (reduce (+) 0 xs, reduce i32.max i32.lowest xs)
  in longs (map (\x -> x * s + l) xs)
def ordered_sums [m] (xs: [m]i32) : [m]i64 =
  let (p, q) = reduce linear (1, 0) (pairs xs)
  in longs (map (\x -> x * p + q) xs)
def scans [m] (xs: [m]i32) : [m]i64 = longs (scan (+) 0 (map (* 2) (scan i32.max i32.lowest xs)))
def ordered_scans [m] (xs: [m]i32) : [m]i64 =
  longs (map (\(a, b) -> a ^ b) (scan linear (1, 0) (pairs xs)))
def wide_scans [m] (xs: [m]i32) : [m]i64 =
  map (\(a, b) -> a ^ b) (scan long_linear (1, 0) (map (\x -> (i64.i32 x, 2)) xs))
def small_scans [m] (xs: [m]i32) : [m]i64 =
  let us = scan (+) 0u8 (map u8.i32 xs)
  let bs = scan (||) false (map (> 400) xs)
  let fs = scan f64.max f64.lowest (map f64.i32 xs)
  in map3 (\u b f -> i64.u8 u + i64.bool b + i64.f64 f) us bs fs
def scatters [m] (xs: [m]i32) : [m]i64 =
  longs (scatter (map (* 2) xs) (map (\i -> if i % 3 == 0 then m - 1 - i else -1) (iota m)) xs)
def histograms [m] (xs: [m]i32) : [m]i64 =
  let h = hist (+) 0 17 (map (\x -> i64.i32 (x % 17)) xs) xs
  let g = reduce_by_index (replicate 7 (1i64, 2i32)) (\(a, b) (c, d) -> (a + c, i32.max b d)) (0, i32.lowest)
                          (map (\x -> i64.i32 (x % 9)) xs)
                          (map (\x -> (i64.i32 x, x)) xs)
  let bins = map2 (\x (a, b) -> a + i64.i32 b + i64.i32 x) (take 7 h) g
  in map (\i -> bins[i % 7]) (iota m)
-- What a scan hands on is read elsewhere, in a loop.
def sorts [m] (xs: [m]i32) : [m]i64 =
  longs (loop xs = copy xs for b < 3 do
           let bits = map (\x -> (x >> b) & 1) xs
           let ps0 = scan (+) 0 (map (1 -) bits)
           let ps1 = scan (+) 0 bits
           let n0 = if m == 0 then 0 else ps0[m - 1]
           let is = map3 (\bit p0 p1 -> i64.i32 (if bit == 0 then p0 - 1 else n0 + p1 - 1)) bits ps0 ps1
           in scatter (replicate m 0) is xs)
-- Segments inside of the workgroup: few long rows, which all threads share.
def rows [m] (xs: [m]i32) : [m]i64 =
  let a = map (\k -> map (\x -> x * k) xs) [2, 3, 5]
  let s = map (reduce (+) 0) a
  let t = map (\r -> (reduce linear (1, 0) (pairs (scan (+) 0 r))).1) a
  in longs (map (\i -> s[i % 3] + t[(i + 1) % 3]) (iota m))

def check4 [n] [m] (xss: [n][m]i32) : []bool =
  [ same (#[flattening(only_intra)] #[seq_factor(4)] map maps xss) (#[sequential_inner] map maps xss)
  , same (#[flattening(only_intra)] #[seq_factor(4)] map sums xss) (#[sequential_inner] map sums xss)
  , same (#[flattening(only_intra)] #[seq_factor(4)] map ordered_sums xss) (#[sequential_inner] map ordered_sums xss)
  , same (#[flattening(only_intra)] #[seq_factor(4)] map scans xss) (#[sequential_inner] map scans xss)
  , same (#[flattening(only_intra)] #[seq_factor(4)] map ordered_scans xss) (#[sequential_inner] map ordered_scans xss)
  , same (#[flattening(only_intra)] #[seq_factor(4)] map scatters xss) (#[sequential_inner] map scatters xss)
  , same (#[flattening(only_intra)] #[seq_factor(4)] map histograms xss) (#[sequential_inner] map histograms xss)
  , same (#[flattening(only_intra)] #[seq_factor(4)] map sorts xss) (#[sequential_inner] map sorts xss)
  , same (#[flattening(only_intra)] #[seq_factor(4)] map rows xss) (#[sequential_inner] map rows xss)
  ]

-- ==
-- entry: factor4
-- input { 0i64 1000i64 } output { true }
-- input { 3i64 0i64 } output { true }
-- input { 3i64 129i64 } output { true }
-- input { 2i64 514i64 } output { true }
-- input { 2i64 1025i64 } output { true }

entry factor4 (n: i64) (m: i64) : bool = and (check4 (input n m))

-- Factors that are odd, a power of two, more than there are banks, and one.
-- ==
-- entry: factors
-- input { 2i64 97i64 } output { true }
-- input { 2i64 771i64 } output { true }

entry factors (n: i64) (m: i64) : bool =
  let xss = input n m
  in same (#[flattening(only_intra)] #[seq_factor(3)] map ordered_scans xss) (#[sequential_inner] map ordered_scans xss)
     && same (#[flattening(only_intra)] #[seq_factor(2)] map wide_scans xss) (#[sequential_inner] map wide_scans xss)
     && same (#[flattening(only_intra)] #[seq_factor(6)] map small_scans xss) (#[sequential_inner] map small_scans xss)
     && same (#[flattening(only_intra)] #[seq_factor(16)] map ordered_sums xss) (#[sequential_inner] map ordered_sums xss)
     && same (#[flattening(only_intra)] #[seq_factor(1)] map scans xss) (#[sequential_inner] map scans xss)

-- Arrays whose elements threads hold from one operation to the next: of scans and maps, by turns and as neighbours, read at other points, and
-- one element by all threads, at a place that is computed.
def carried [m] (xs: [m]i32) : [m]i64 =
  let ys = map (\x -> x ^ 21) xs
  let ps = scan (\a b -> ((a & (b >> 1)) | b) & 1 | a & b & 2) 2 (map (\y -> u8.i32 (y & 3)) ys)
  in map2 (\y i -> i64.i32 y + (if i > 0 then i64.u8 ps[i - 1] else 0)) ys (iota m)
def chained [m] (xs: [m]i32) : [m]i64 =
  let copies = map (* 3) xs
  let (as, bs) = loop (as, bs) = (copies, map i64.i32 copies) for k < 3 do
    let p = scan (+) 0 as
    let q = scan i64.max (-9) bs
    let at = if m == 0 then 0 else i64.i32 (p[m - 1] & 0xff) % m
    let x = if m == 0 then 0 else p[at]
    let y = if m == 0 then 0 else q[m - 1 - at]
    let r = map2 (\a b -> a * 2 + i32.i64 b) p q
    let s = scan linear (1, 0) (map2 (\a b -> (a, b + x)) r as)
    in (map (\(a, b) -> a ^ b + k) s, map2 (\a b -> i64.i32 a - b * y) r q)
  in map2 (\a b -> i64.i32 a + b) as bs

-- ==
-- entry: held4 held3 held_in_loops held_chosen held_sorts
-- input { 3i64 1i64 } output { true }
-- input { 3i64 33i64 } output { true }
-- input { 2i64 200i64 } output { true }
-- input { 2i64 257i64 } output { true }
-- input { 2i64 1024i64 } output { true }

entry held4 (n: i64) (m: i64) : bool =
  let xss = input n m
  in same (#[flattening(only_intra)] #[seq_factor(4)] map carried xss) (#[sequential_inner] map carried xss)

entry held3 (n: i64) (m: i64) : bool =
  let xss = input n m
  in same (#[flattening(only_intra)] #[seq_factor(3)] map carried xss) (#[sequential_inner] map carried xss)

entry held_in_loops (n: i64) (m: i64) : bool =
  let xss = input n m
  in same (#[flattening(only_intra)] #[seq_factor(4)] map chained xss) (#[sequential_inner] map chained xss)

entry held_chosen (n: i64) (m: i64) : bool =
  let xss = input n m
  in same (#[flattening(only_intra)] map chained xss) (#[sequential_inner] map chained xss)

entry held_sorts (n: i64) (m: i64) : bool =
  let xss = input n m
  in same (#[flattening(only_intra)] #[seq_factor(32)] map sorts xss) (#[sequential_inner] map sorts xss)

-- Factors that the device chooses: one for short rows, then half of that for long ones.
-- ==
-- entry: chosen
-- input { 3i64 40i64 } output { true }
-- input { 3i64 129i64 } output { true }
-- input { 2i64 256i64 } output { true }
-- input { 2i64 257i64 } output { true }

entry chosen (n: i64) (m: i64) : bool =
  let xss = input n m
  in same (#[flattening(only_intra)] map ordered_scans xss) (#[sequential_inner] map ordered_scans xss)
     && same (#[flattening(only_intra)] map wide_scans xss) (#[sequential_inner] map wide_scans xss)
     && same (#[flattening(only_intra)] map sums xss) (#[sequential_inner] map sums xss)

-- Rows that lie apart in memory, and start anywhere.
-- ==
-- entry: laid_out
-- input { 5i64 300i64 } output { true }

entry laid_out (n: i64) (m: i64) : bool =
  let columns = transpose (input m n)
  let parts = map (drop 7) (map (take (m - 3)) (input n m))
  in same (#[flattening(only_intra)] #[seq_factor(4)] map ordered_scans columns) (#[sequential_inner] map ordered_scans columns)
     && same (#[flattening(only_intra)] #[seq_factor(4)] map sums columns) (#[sequential_inner] map sums columns)
     && same (#[flattening(only_intra)] #[seq_factor(4)] map scans parts) (#[sequential_inner] map scans parts)

-- Segments of the grid, which are longer than a workgroup.
-- ==
-- entry: segments
-- input { 3i64 256i64 } output { true }
-- input { 3i64 257i64 } output { true }
-- input { 2i64 2100i64 } output { true }

entry segments (n: i64) (m: i64) : bool =
  let xss = input n m
  let rows = #[flattening(only_inner)] map (\xs -> scan linear (1, 0) (pairs xs)) xss
  let columns = #[flattening(only_inner)] map (\xs -> scan (+) 0 (map f64.i32 xs)) (transpose (input m n))
  in same (map (map (\(a, b) -> i64.i32 (a ^ b))) rows) (#[sequential_inner] map ordered_scans xss)
     && same (map (map i64.f64) columns) (#[sequential_inner] map (\xs -> longs (scan (+) 0 xs)) (transpose (input m n)))

-- Numbers that can be worked out by hand: rows of ones.
-- ==
-- entry: ones
-- input { 2i64 600i64 } output { [600i64, 600i64] [180300i64, 180300i64] }

entry ones (n: i64) (m: i64) : ([n]i64, [n]i64) =
  #[flattening(only_intra)] #[seq_factor(4)]
  unzip (map (\x -> let ys = scan (+) 0 (replicate m x) in (ys[m - 1], reduce (+) 0 ys)) (replicate n 1i64))

-- A failing check stops the workgroup, and says where and why.
-- ==
-- entry: fails
-- input { 4i64 600i64 580i64 } error: Index \[1579\] out of bounds for array of shape \[600\]
-- input { 4i64 600i64 600i64 } output { [180300i64, 180300i64, 180300i64, 180300i64] }

entry fails (n: i64) (m: i64) (at: i64) : [n]i64 =
  #[flattening(only_intra)] #[seq_factor(4)]
  map (\k ->
         let ys = scan (+) 0 (replicate m 1)
         let zs = map (\i -> ys[i + if i == at then k + 999 else 0]) (iota m)
         in reduce (+) 0 zs)
      (replicate n 0)
