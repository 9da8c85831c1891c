-- Histograms whose operators are no atomic operations of a device, of keys in several orders: sorted, of one bin, in no order, in runs, and
-- every other one outside. What threads keep from one batch of points to the next depends on these. A workgroup of 1,024 threads that take
-- 8 points each has batches of 8,192 points. Each result is compared with a loop over the points that one thread runs.

def mix (x: u32) : u32 =
  let x = (x ^ (x >> 16)) * 0x7feb352d
  let x = (x ^ (x >> 15)) * 0x846ca68b
  in x ^ (x >> 16)

def key (order: i64) (n: i64) (k: i64) (i: i64) : i64 =
  if order == 0 then i * k / n
  else if order == 1 then k / 2
  else if order == 2 then i64.u32 (mix (u32.i64 i)) % k
  else if order == 3 then i / 1000 % k
  else if i % 2 == 0 then k + i else k / 2

-- Whether a histogram has what a loop computes, for each order.
def agrees 'a (op: a -> a -> a) (zero: a) (same: a -> a -> bool) (value: i64 -> a) (n: i64) (k: i64) : bool =
  loop ok = true for order < 5 do
    let is = tabulate n (key order n k)
    let vs = tabulate n value
    let slow (_: i64) = loop h = replicate k zero for i < n do
                          if is[i] < k then h with [is[i]] = op (copy h[is[i]]) vs[i] else h
    let want = (map slow (iota (1 + n / 1000000)))[0]
    in ok && and (map2 same want (reduce_by_index (replicate k zero) op zero is vs))

-- ==
-- entry: sums pairs halves
-- input { 1i64 5i64 } output { true }
-- input { 8191i64 100i64 } output { true }
-- input { 8192i64 100i64 } output { true }
-- input { 8193i64 3000i64 } output { true }
-- input { 40000i64 30i64 } output { true }
-- input { 40000i64 2500i64 } output { true }
-- input { 20000i64 30000i64 } output { true }
entry sums (n: i64) (k: i64) : bool =
  let add (a: u32) (b: u32) = let s = a + b in if s > 5000 then 5000 else s
  in agrees add 0 (==) (\i -> u32.i64 (i % 7)) n k

-- Two values, one word where devices update words of 64 bits.
entry pairs (n: i64) (k: i64) : bool =
  let add (a: u32, b: u32) (c: u32, d: u32) = (a + c, if b + d > 900 then 900 else b + d)
  in agrees add (0, 0) (\(a, b) (c, d) -> a == c && b == d) (\i -> (mix (u32.i64 i), u32.i64 (i % 7))) n k

-- Two sums in the halves of a word, with more operations than are computed for entries that are not in use.
entry halves (n: i64) (k: i64) : bool =
  let add (a: u32) (b: u32) =
    let low = u32.min 0xffff ((a & 0xffff) + (b & 0xffff))
    let high = u32.min 0xffff ((a >> 16) + (b >> 16))
    in high << 16 | low
  in agrees add 0 (==) (\i -> u32.i64 (i % 11) << 16 | u32.i64 (i % 301)) n k
