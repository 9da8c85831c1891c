-- Few bins, so that each thread has some of its own: words of one bin to several, and some for which fewer threads have room.

entry sums [n] (k: i64) (is: [n]i64) : [k]u32 =
  let add (a: u32) (b: u32) = let s = a + b in if s > 0xffffff then 0xffffff else s
  in reduce_by_index (replicate k 0) add 0 is (map (\i -> u32.i64 (i % 7)) is)

def far : i32 = 1 << 29

-- Shortest paths of one step more: products of 2x2 matrices over (min, +), of which all are powers of one.
def product (a: i32, b: i32, c: i32, d: i32) (e: i32, f: i32, g: i32, h: i32) =
  (i32.min (a + e) (b + g), i32.min (a + f) (b + h), i32.min (c + e) (d + g), i32.min (c + f) (d + h))

entry paths [n] (k: i64) (is: [n]i64) : ([k]i32, [k]i32, [k]i32, [k]i32) =
  unzip4 (reduce_by_index (replicate k (0, far, far, 0)) product (0, far, far, 0) is (map (\_ -> (1, 2, 5, 3)) is))

-- Points 0, 1, ..., of which some lie outside.
def points (n: i64) (k: i64) : [n]i64 = map (\i -> (i * 7919) % (k + 1)) (iota n)

entry same_sums (n: i64) (k: i64) : bool =
  let is = points n k
  let want j = u32.i64 (j % 7) * u32.i64 (i64.sum (map (\i -> i64.bool (i == j)) is))
  in and (map2 (\x j -> x == want j) (sums k is) (iota k))

entry same_paths (n: i64) (k: i64) : bool =
  let is = points n k
  let want j = loop p = (0, far, far, 0) for _ in 0..<i64.sum (map (\i -> i64.bool (i == j)) is) do product p (1, 2, 5, 3)
  in and (map2 (\x j -> x == want j) (let (a, b, c, d) = paths k is in zip4 a b c d) (iota k))

-- ==
-- entry: same_sums
-- input { 10007i64 16i64 } output { true }
-- input { 10006i64 1i64 } output { true }
-- input { 1i64 5i64 } output { true }
-- input { 0i64 5i64 } output { true }
-- input { 9999i64 70i64 } output { true }
-- input { 2001i64 97i64 } output { true }

-- ==
-- entry: same_paths
-- input { 501i64 6i64 } output { true }
-- input { 4001i64 16i64 } output { true }
-- input { 999i64 24i64 } output { true }
-- input { 0i64 20i64 } output { true }
