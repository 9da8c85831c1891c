-- Histograms whose operators are no atomic operations of a device: of several values, or of one that takes a loop. Each is compared with
-- a loop over the points that one thread runs. Keys are of many bins, of a few, and of one; some lie outside.

def mix (x: u32) : u32 =
  let x = (x ^ (x >> 16)) * 0x7feb352d
  let x = (x ^ (x >> 15)) * 0x846ca68b
  in x ^ (x >> 16)

def key (n: i64) (k: i64) (i: i64) : i64 =
  let r = i64.u32 (mix (u32.i64 i))
  in if i < n / 3 then r % (k + 2) - 1 else if i < n / 2 then k / 2 else r % 4

-- What a function of one argument returns, which one thread computes.
def alone 'a (f: i64 -> a) (n: i64) : a = (map f (iota (1 + n / 1000000)))[0]

def saturated (a: u32) (b: u32) : u32 =
  let s = a + b
  in if s > 1000 then 1000 else s

-- A value of one word.
-- ==
-- entry: saturating
-- input { 3000i64 5i64 } output { true }
-- input { 2500i64 2500i64 } output { true }
-- input { 0i64 3i64 } output { true }
-- input { 3000i64 0i64 } output { true }
-- input { 2000i64 40000i64 } output { true }
entry saturating (n: i64) (k: i64) : bool =
  let is = tabulate n (key n k)
  let vs = tabulate n (\i -> u32.i64 (i % 7))
  let slow (_: i64) = loop h = replicate k 3 for i < n do
                        if is[i] >= 0 && is[i] < k then h with [is[i]] = saturated (copy h[is[i]]) vs[i] else h
  let want = alone slow n
  in and (map2 (==) want (reduce_by_index (replicate k 3) saturated 0 is vs))

-- All points in one bin, but for the first ones, so that threads begin with compare and swap and go on by chains.
-- ==
-- entry: contended
-- input { 20000i64 3000i64 100i64 } output { true }
-- input { 20000i64 30i64 10i64 } output { true }
-- input { 8000i64 40000i64 4000i64 } output { true }
entry contended (n: i64) (k: i64) (free: i64) : bool =
  let add (a: u32) (b: u32) = let s = a + b in if s > 0xffffff then 0xffffff else s
  let is = tabulate n (\i -> if i < free then i % k else k / 2)
  let h = reduce_by_index (replicate k 1) add 0 is (map (\i -> 1 + u32.i64 (i % 3)) (iota n))
  let value (i: i64) = 1 + u32.i64 (i % 3)
  let others = map (\j -> 1 + u32.sum (map (\r -> let i = j + r * k in if i < free then value i else 0) (iota (1 + free / k)))) (iota k)
  let one = u32.sum (map value (iota n)) - u32.sum (map value (iota free))
  in and (map3 (\j x y -> x == y + (if j == k / 2 then one else 0)) (iota k) h others)

-- Two values of different types.
-- ==
-- entry: greatest
-- input { 3000i64 5i64 } output { true }
-- input { 2500i64 2500i64 } output { true }
-- input { 2500i64 1i64 } output { true }
-- input { 0i64 3i64 } output { true }
-- input { 2000i64 40000i64 } output { true }
entry greatest (n: i64) (k: i64) : bool =
  let pick (a: i32, i: i64) (b: i32, j: i64) = if a > b || (a == b && i > j) then (a, i) else (b, j)
  let is = tabulate n (key n k)
  let vs = tabulate n (\i -> (i32.u32 (mix (u32.i64 (i / 2)) >> 8), i))
  let slow (_: i64) = loop (h, g) = (replicate k i32.lowest, replicate k (-1i64)) for i < n do
                        if is[i] >= 0 && is[i] < k
                        then let (a, b) = pick (copy h[is[i]], copy g[is[i]]) vs[i]
                             in (h with [is[i]] = a, g with [is[i]] = b)
                        else (h, g)
  let (want, at) = alone slow n
  let (got, from) = unzip (reduce_by_index (replicate k (i32.lowest, -1i64)) pick (i32.lowest, -1i64) is vs)
  in and (map2 (==) want got) && and (map2 (==) at from)

-- Small values, and one that is a truth value; more bins than points in the end.
-- ==
-- entry: small
-- input { 3000i64 7i64 } output { true }
-- input { 1500i64 1000i64 } output { true }
-- input { 500i64 20000i64 } output { true }
entry small (n: i64) (k: i64) : bool =
  let op (a: i8, p: bool, x: u16) (b: i8, q: bool, y: u16) = (i8.max a b, p != q, x ^ y)
  let is = tabulate n (key n k)
  let vs = tabulate n (\i -> (i8.i64 (i % 100), i % 3 == 0, u16.i64 i))
  let slow (_: i64) = loop (as, bs, cs) = (replicate k i8.lowest, replicate k false, replicate k 0) for i < n do
                        if is[i] >= 0 && is[i] < k
                        then let (a, b, c) = op (copy as[is[i]], copy bs[is[i]], copy cs[is[i]]) vs[i]
                             in (as with [is[i]] = a, bs with [is[i]] = b, cs with [is[i]] = c)
                        else (as, bs, cs)
  let (as, bs, cs) = alone slow n
  let (ds, es, fs) = unzip3 (reduce_by_index (replicate k (i8.lowest, false, 0)) op (i8.lowest, false, 0) is vs)
  in and (map2 (==) as ds) && and (map2 (==) bs es) && and (map2 (==) cs fs)

-- Products of 2x2 matrices modulo 2^32 that commute: each is a multiple of one matrix plus one of the identity.
-- ==
-- entry: products
-- input { 2000i64 9i64 } output { true }
-- input { 2000i64 1500i64 } output { true }
entry products (n: i64) (k: i64) : bool =
  let mul (a: u32, b: u32, c: u32, d: u32) (e: u32, f: u32, g: u32, h: u32) =
    (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)
  let one = (1, 0, 0, 1)
  let is = tabulate n (key n k)
  let vs = tabulate n (\i -> let s = mix (u32.i64 i) in (1 + s, 2 * s, 3 * s, 1 + 4 * s))
  let same (a, b, c, d) (e, f, g, h) = a == e && b == f && c == g && d == (h: u32)
  let slow (_: i64) = loop hs = replicate k one for i < n do
                        if is[i] >= 0 && is[i] < k then hs with [is[i]] = mul (copy hs[is[i]]) vs[i] else hs
  let want = alone slow n
  in and (map2 same want (reduce_by_index (replicate k one) mul one is vs))

-- Two histograms at once, of which one has two dimensions, and rows with a histogram each.
-- ==
-- entry: several
-- input { 2000i64 9i64 } output { true }
-- input { 2000i64 40i64 } output { true }
entry several (n: i64) (k: i64) : bool =
  let is = tabulate n (key n k)
  let vs = tabulate n (\i -> (u32.i64 (i % 9), i))
  let pick (a: u32, i: i64) (b: u32, j: i64) = if a > b || (a == b && i > j) then (a, i) else (b, j)
  let hs = reduce_by_index (replicate k (0, -1)) pick (0, -1) is vs
  let gs = reduce_by_index_2d (replicate k (replicate 3 (0, -1))) pick (0, -1) (map (\i -> (i, i % 3)) is) vs
  let least = map (\g -> reduce pick (0, -1) g) gs
  in and (map2 (\(a, i) (b, j) -> a == b && i == j) hs least)

-- ==
-- entry: rows
-- input { 40i64 100i64 7i64 } output { true }
-- input { 3i64 1000i64 50i64 } output { true }
entry rows (m: i64) (n: i64) (k: i64) : bool =
  let pick (a: u32, i: i64) (b: u32, j: i64) = if a > b || (a == b && i > j) then (a, i) else (b, j)
  let iss = tabulate_2d m n (\r i -> key n k (r + i))
  let row is = reduce_by_index (replicate k (0, -1)) pick (0, -1) is (tabulate n (\i -> (u32.i64 (i % 9), i)))
  let slow (is: [n]i64) = loop h = replicate k (0, -1) for i < n do
                            if is[i] >= 0 && is[i] < k then h with [is[i]] = pick (copy h[is[i]]) (u32.i64 (i % 9), i) else h
  in and (map2 (\g h -> and (map2 (\(a, i) (b, j) -> a == b && i == j) g h)) (map row iss) (map slow iss))

-- An operator that fails: 1970 is the last point of bin 0 with an 8, so that any order meets it.
-- ==
-- entry: checked
-- input { 2000i64 5i64 -7i64 } output { [1970i64, 1961i64, 1997i64, 1988i64, 1979i64] }
-- input { 2000i64 5i64 1970i64 } error: pair
entry checked (n: i64) (k: i64) (bad: i64) : [k]i64 =
  let pick (a: u32, i: i64) (b: u32, j: i64) =
    let pair = if a > b || (a == b && i > j) then (a, i) else (b, j)
    in assert (pair.1 != bad) pair
  in map (.1) (reduce_by_index (replicate k (0, -1)) pick (0, -1) (map (% k) (iota n)) (tabulate n (\i -> (u32.i64 (i % 9), i))))
