-- Histograms whose values are a word, or a few that fit one, and whose operators are no atomic operations of a device. Sums that saturate are
-- compared with sums that do not. Keys are uniform, one, sorted, two in turn, a few that are far apart, and such that half of them lie outside.

def mix (x: u32) : u32 =
  let x = (x ^ (x >> 16)) * 0x7feb352d
  let x = (x ^ (x >> 15)) * 0x846ca68b
  in x ^ (x >> 16)

def keys (n: i64) (k: i64) (how: i64) : [n]i64 =
  let key (i: i64) : i64 =
    let r = i64.u32 (mix (u32.i64 i))
    in match how
       case 0 -> r % k
       case 1 -> k / 2
       case 2 -> i * k / n
       case 3 -> i % 2 + k / 2
       case 4 -> r % 32 * k / 32
       case _ -> r % (2 * k) - k / 2
  in tabulate n key

-- One value, which is computed from its bin's number.
-- ==
-- entry: word pair small half long
-- input { 6000i64 60i64 0i64 } output { true }
-- input { 6000i64 60i64 1i64 } output { true }
-- input { 0i64 100i64 1i64 } output { true }

-- ==
-- entry: word half
-- input { 9001i64 3000i64 2i64 } output { true }
-- input { 9001i64 1100i64 4i64 } output { true }
-- input { 9001i64 40000i64 5i64 } output { true }
-- input { 9001i64 90000i64 3i64 } output { true }

-- Software drivers take a millisecond for each bin that a workgroup joins copies of, and the search for races as long for other ones.
-- ==
-- entry: pair small long
-- input { 3001i64 500i64 2i64 } output { true }
-- input { 3001i64 500i64 4i64 } output { true }
-- input { 3001i64 500i64 5i64 } output { true }
-- input { 3001i64 30000i64 3i64 } output { true }

entry word (n: i64) (k: i64) (how: i64) : bool =
  let sat (a: u32) (b: u32) = let s = a + b in if s > 0xfff then 0xfff else s
  let is = keys n k how
  let vs = map (\i -> u32.i64 (i % 7)) is
  let h = reduce_by_index (replicate k 0) sat 0 is vs
  let w = reduce_by_index (replicate k 0) (+) 0 is vs
  in and (map2 (\a b -> a == u32.min b 0xfff) h w)

-- Two values.
entry pair (n: i64) (k: i64) (how: i64) : bool =
  let op (a: u32, b: i32) (c: u32, d: i32) = (let s = a + c in if s > 0xfff then 0xfff else s, b + d)
  let is = keys n k how
  let vs = map (\i -> (u32.i64 (i % 7), i32.i64 i - 77)) (iota n)
  let (h, g) = unzip (reduce_by_index (replicate k (3, 4)) op (0, 0) is vs)
  let w = reduce_by_index (replicate k 3) (+) 0 is (map (.0) vs)
  let v = reduce_by_index (replicate k 4) (+) 0 is (map (.1) vs)
  in and (map2 (\a b -> a == u32.min b 0xfff) h w) && and (map2 (==) g v)

-- Three, one of them a truth value.
entry small (n: i64) (k: i64) (how: i64) : bool =
  let op (a: i8, p: bool, x: f32) (b: i8, q: bool, y: f32) = (i8.max a b, p || q, x + y)
  let is = keys n k how
  let vs = map (\i -> (i8.i64 i, i % 3 == 0, f32.i64 (i % 5 - 2))) (iota n)
  let (as, bs, cs) = unzip3 (reduce_by_index (replicate k (i8.lowest, false, 0)) op (i8.lowest, false, 0) is vs)
  let ds = reduce_by_index (replicate k i8.lowest) i8.max i8.lowest is (map (.0) vs)
  let es = reduce_by_index (replicate k false) (||) false is (map (.1) vs)
  let fs = reduce_by_index (replicate k 0) (+) 0 is (map (\(_, _, c) -> i32.f32 c) vs)
  in and (map2 (==) as ds) && and (map2 (==) bs es) && and (map2 (\c f -> i32.f32 c == f) cs fs)

-- Half a word.
entry half (n: i64) (k: i64) (how: i64) : bool =
  let op (a: i16) (b: i16) : i16 = let s = i32.i16 a + i32.i16 b in if s > 999 then 999 else i16.i32 s
  let is = keys n k how
  let vs = map (\i -> i16.i64 (i % 11)) (iota n)
  let h = reduce_by_index (replicate k 0) op 0 is vs
  let w = reduce_by_index (replicate k 0) (+) 0 is (map i32.i16 vs)
  in and (map2 (\a b -> i32.i16 a == i32.min b 999) h w)

-- Two words.
entry long (n: i64) (k: i64) (how: i64) : bool =
  let sat (a: i64) (b: i64) : i64 = let s = a + b in if s > 0xffff then 0xffff else s
  let is = keys n k how
  let vs = map (\i -> i % 7 + i) (iota n)
  let h = reduce_by_index (replicate k 0) sat 0 is vs
  let w = reduce_by_index (replicate k 0) (+) 0 is vs
  in and (map2 (\a b -> a == i64.min b 0xffff) h w)
