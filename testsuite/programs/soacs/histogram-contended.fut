-- Histograms and accumulators of many places, of which some get many of the points: workgroups then go over to chains, and keep what they
-- have for such places. Each point adds one, so what places hold is known: returned are what place 3 holds, how many places hold one, and
-- what all hold together.

-- Place 3 for every point; for every other one, the others apart; one of four for all; all apart, but for place 3; place 3 for the second
-- half of the points, and in turn one of seven places for every fourth.
def place (kind: i64) (n: i64) (k: i64) (i: i64): i64 =
  let apart = 4 + i % (k - 4)
  in match kind
     case 0 -> 3
     case 1 -> if i % 2 == 0 then 3 else apart
     case 2 -> 3 + i % 4 * 1000
     case 3 -> apart
     case 4 -> if i < n / 2 then apart else 3
     case _ -> if i % 4 == 0 then 3 + i / 4 % 7 * 100 else if apart < 1000 then -1 else apart

def places (kind: i64) (n: i64) (k: i64): [n]i64 = tabulate n (place kind n k)

def summary 'a [k] (number: a -> i64) (h: [k]a): (i64, i64, i64) =
  let xs = map number h
  in (xs[3], i64.sum (map (\x -> i64.bool (x == 1)) xs), i64.sum xs)

-- Atomic operations of the device.
-- ==
-- entry: counts floats maxima
-- compiled input { 0i64 6000i64 20011i64 } output { 6000i64 0i64 6000i64 }
-- compiled input { 1i64 50000i64 70000i64 } output { 25000i64 25000i64 50000i64 }
-- compiled input { 2i64 6000i64 210000i64 } output { 1500i64 0i64 6000i64 }
-- compiled input { 3i64 6000i64 20011i64 } output { 0i64 6000i64 6000i64 }
-- compiled input { 4i64 50000i64 70000i64 } output { 25000i64 25000i64 50000i64 }
-- compiled input { 5i64 28000i64 70000i64 } output { 1000i64 20253i64 27253i64 }
entry counts (kind: i64) (n: i64) (k: i64): (i64, i64, i64) =
  summary i64.i32 (reduce_by_index (replicate k 0) (+) 0 (places kind n k) (replicate n 1))

entry floats (kind: i64) (n: i64) (k: i64): (i64, i64, i64) =
  summary i64.f32 (reduce_by_index (replicate k 0f32) (+) 0 (places kind n k) (replicate n 1))

-- The greatest number of a point of each place, from one on among those of the place. Only points of crowded places have numbers.
entry maxima (kind: i64) (n: i64) (k: i64): (i64, i64, i64) =
  let is = places kind n k
  let h = reduce_by_index (replicate k (-1i64)) i64.max (-1) is (iota n)
  let count = reduce_by_index (replicate k 0i64) (+) 0 is (replicate n 1)
  let right = map3 (\j last m -> if m == 0 then last == -1 else last >= 0 && place kind n k last == j) (iota k) h count
  in summary (\(ok, m) -> if ok then m else -1000000) (zip right count)

-- Compare and swap, of 32 and 64 bits.
-- ==
-- entry: words longs doubles
-- compiled input { 0i64 6000i64 20011i64 } output { 6000i64 0i64 6000i64 }
-- compiled input { 1i64 50000i64 150000i64 } output { 25000i64 25000i64 50000i64 }
-- compiled input { 2i64 6000i64 210000i64 } output { 1500i64 0i64 6000i64 }
-- compiled input { 3i64 6000i64 20011i64 } output { 0i64 6000i64 6000i64 }
-- compiled input { 4i64 50000i64 150000i64 } output { 25000i64 25000i64 50000i64 }
-- compiled input { 5i64 28000i64 150000i64 } output { 1000i64 20253i64 27253i64 }
entry words (kind: i64) (n: i64) (k: i64): (i64, i64, i64) =
  let add (a: u32) (b: u32) = let s = a + b in if s > 1000000 then 1000000 else s
  in summary i64.u32 (reduce_by_index (replicate k 0) add 0 (places kind n k) (replicate n 1))

entry longs (kind: i64) (n: i64) (k: i64): (i64, i64, i64) =
  let add (a: i64) (b: i64) = let s = a + b in if s > 0xffffffffff then 0xffffffffff else s
  in summary id (reduce_by_index (replicate k 0) add 0 (places kind n k) (replicate n 1))

entry doubles (kind: i64) (n: i64) (k: i64): (i64, i64, i64) =
  summary i64.f64 (reduce_by_index (replicate k 0f64) (+) 0 (places kind n k) (replicate n 1))

-- Accumulators: derivatives of a table that points read, one of its elements or two, or a row of three.
-- ==
-- entry: reads reads32 twice rows
-- compiled input { 0i64 6000i64 20011i64 } output { 6000i64 0i64 6000i64 }
-- compiled input { 1i64 50000i64 70000i64 } output { 25000i64 25000i64 50000i64 }
-- compiled input { 2i64 6000i64 20011i64 } output { 1500i64 0i64 6000i64 }
-- compiled input { 3i64 6000i64 20011i64 } output { 0i64 6000i64 6000i64 }
-- compiled input { 4i64 50000i64 70000i64 } output { 25000i64 25000i64 50000i64 }
entry reads (kind: i64) (n: i64) (k: i64): (i64, i64, i64) =
  summary i64.f64 (vjp (\t -> f64.sum (map (\i -> t[i]) (places kind n k))) (replicate k 0) 1)

entry reads32 (kind: i64) (n: i64) (k: i64): (i64, i64, i64) =
  summary i64.f32 (vjp (\t -> f32.sum (map (\i -> t[i]) (places kind n k))) (replicate k 0) 1)

-- A quarter of each point's two updates of one place and three quarters.
entry twice (kind: i64) (n: i64) (k: i64): (i64, i64, i64) =
  let is = places kind n k
  in summary i64.f64 (vjp (\t -> f64.sum (map2 (\i j -> 0.25 * t[i] + 0.75 * t[j]) is (copy is))) (replicate k 0) 1)

entry rows (kind: i64) (n: i64) (k: i64): (i64, i64, i64) =
  let h = vjp (\t -> f64.sum (map (\i -> f64.sum t[i]) (places kind n k))) (replicate k (replicate 3 0)) 1
  in summary i64.f64 (map (\r -> if r[0] == r[1] && r[0] == r[2] then r[0] else -1000000) h)

-- Bins of two dimensions, and histograms of each row.
-- ==
-- entry: planes segments
-- compiled input { 0i64 6000i64 20020i64 } output { 6000i64 0i64 6000i64 }
-- compiled input { 1i64 50000i64 70000i64 } output { 25000i64 25000i64 50000i64 }
-- compiled input { 3i64 6000i64 20020i64 } output { 0i64 6000i64 6000i64 }
entry planes (kind: i64) (n: i64) (k: i64): (i64, i64, i64) =
  let is = map (\i -> (i / 10, i % 10)) (places kind n k)
  let h = reduce_by_index_2d (replicate (k / 10) (replicate 10 0i32)) (+) 0 is (replicate n 1)
  in summary i64.i32 (flatten h)

entry segments (kind: i64) (n: i64) (k: i64): (i64, i64, i64) =
  let hs = map (\x -> reduce_by_index (replicate k 0) (+) 0 (places kind n k) (replicate n x)) [1i32, 2]
  in summary i64.i32 (map2 (\a b -> if b == 2 * a then a else -1000000) hs[0] hs[1])
