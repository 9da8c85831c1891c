-- Histograms whose operator returns one of its operands: a bin may keep the number of the point that has won. Each is compared with a
-- loop over the points that one thread runs.

def mix (x: u32) : u32 =
  let x = (x ^ (x >> 16)) * 0x7feb352d
  let x = (x ^ (x >> 15)) * 0x846ca68b
  in x ^ (x >> 16)

def key (k: i64) (i: i64) : i64 = i64.u32 (mix (u32.i64 i)) % (k + 2) - 1

-- The least of some pairs, by branches in branches; equal pairs occur.
def least (a: f32, i: i64) (b: f32, j: i64) : (f32, i64) =
  if a < b then (a, i) else if b < a then (b, j) else if i < j then (a, i) else (b, j)

def inside (k: i64) (b: i64) = b >= 0 && b < k

-- Values in memory, and a destination that is not neutral.
-- ==
-- entry: pairs
-- input { 3000i64 5i64 } output { true }
-- input { 2500i64 2500i64 } output { true }
-- input { 0i64 3i64 } output { true }
-- input { 3000i64 0i64 } output { true }
-- input { 2000i64 70000i64 } output { true }
entry pairs (n: i64) (k: i64) : bool =
  let vs = tabulate n (\i -> f32.u32 (mix (u32.i64 i) % 100))
  let ws = tabulate n (\i -> i64.u32 (mix (u32.i64 (i + n)) % 50))
  let is = tabulate n (key k)
  let first = tabulate k (\b -> (f32.i64 (b % 60), b))
  let one (_: i64) = loop h = copy first for i < n do
                       if inside k is[i] then h with [is[i]] = least (copy h[is[i]]) (vs[i], ws[i]) else h
  let want = (map one (iota (1 + n / 1000000)))[0]
  let got = reduce_by_index (copy first) least (f32.inf, i64.highest) is (zip vs ws)
  in and (map2 (\(a, i) (b, j) -> a == b && i == j) want got)

-- Segments, each with bins of its own.
-- ==
-- entry: segments
-- input { 7i64 300i64 5i64 } output { true }
-- input { 300i64 7i64 3i64 } output { true }
-- input { 3i64 0i64 4i64 } output { true }
-- input { 2i64 2000i64 500i64 } output { true }
entry segments (m: i64) (n: i64) (k: i64) : bool =
  let vss = tabulate_2d m n (\r i -> f32.u32 (mix (u32.i64 (r * n + i)) % 100))
  let iss = tabulate_2d m n (\r i -> key k (r * n + i))
  let got = map2 (\vs is -> reduce_by_index (replicate k (f32.inf, i64.highest)) least (f32.inf, i64.highest) is (zip vs (iota n))) vss iss
  let one vs is = loop h = replicate k (f32.inf, i64.highest) for i < n do
                    if inside k (#[unsafe] is[i]) then h with [is[i]] = least (copy h[is[i]]) (#[unsafe] vs[i], i) else h
  let want = map2 (\vs is -> #[sequential] one vs is) vss iss
  in and (map2 (\g w -> and (map2 (\(a, i) (b, j) -> a == b && i == j) g w)) got want)

-- Bins of two dimensions, values of several types, and two histograms over the same points.
-- ==
-- entry: both
-- input { 4000i64 7i64 9i64 } output { true }
-- input { 500i64 60i64 80i64 } output { true }
entry both (n: i64) (k: i64) (l: i64) : bool =
  let pick (a: u8, p: bool, x: i64) (b: u8, q: bool, y: i64) =
    if a > b then (a, p, x) else if a < b then (b, q, y) else if x >= y then (a, p, x) else (b, q, y)
  let value i = let v = u8.u32 (mix (u32.i64 i)) in (v, v % 3 == 1, i)
  let is = tabulate n (\i -> (key k i, key l (i + n)))
  let vs = tabulate n value
  let none = (0u8, false, -1i64)
  let got = reduce_by_index_2d (tabulate_2d k l (\_ _ -> none)) pick none is vs
  let got1 = reduce_by_index (replicate k none) pick none (map (.0) is) vs
  let one (_: i64) = loop (h, g) = (tabulate_2d k l (\_ _ -> none), replicate k none) for i < n do
                       let (a, b) = is[i]
                       let g = if inside k a then g with [a] = pick (copy g[a]) vs[i] else g
                       in if inside k a && inside l b then (h with [a, b] = pick (copy h[a, b]) vs[i], g) else (h, g)
  let (want, want1) = (map one (iota (1 + n / 1000000)))[0]
  let same (a: u8, p: bool, x: i64) (b: u8, q: bool, y: i64) = a == b && p == q && x == y
  in and (map2 (\g w -> and (map2 same g w)) got want) && and (map2 same got1 want1)

def keep (n: i64) (k: i64) : ([n]i64, [k](i64, i64)) =
  let pick (a: i64, i: i64) (b: i64, j: i64) = if a > b || (a == b && i > j) then (a, i) else (b, j)
  let xs = map (\i -> i * 3 % 1001) (iota n)
  in (xs, reduce_by_index (replicate k (-1, -1)) pick (-1, -1) (map (key k) (iota n)) (zip xs (iota n)))

-- The values are returned as well.
-- ==
-- entry: kept
-- input { 3000i64 40i64 } output { true }
entry kept (n: i64) (k: i64) : bool =
  let (xs, got) = keep n k
  in and (map (\i -> xs[i] == i * 3 % 1001) (iota n)) &&
     and (map (\b -> let w = loop w = -1 for i < n do if key k i == b && (w < 0 || xs[i] > xs[w] || (xs[i] == xs[w] && i > w)) then i else w
                     in got[b] == (if w < 0 then (-1, -1) else (xs[w], w))) (iota k))
