-- Histograms of segments, compared with what a loop over the segment finds, one element after the other: long segments beside
-- few bins (tables in workgroup memory), short ones, more bins than elements, several operators, destinations that hold
-- something, keys outside.
-- ==
-- entry: counts largest several
-- input { 3i64 10000i64 7i64 } output { true }
-- input { 100i64 40i64 7i64 } output { true }
-- input { 2i64 3000i64 300i64 } output { true }
-- input { 2i64 300i64 6000i64 } output { true }
-- input { 0i64 9000i64 3i64 } output { true }
-- input { 3i64 0i64 3i64 } output { true }
-- input { 300i64 700i64 2i64 } output { true }

def key (k: i64) (i: i64) (j: i64) : i64 = (i * 31 + j * j) % (k + 2) - 1

def all_equal [n] [k] 't (eq: t -> t -> bool) (xs: [n][k]t) (ys: [n][k]t) : bool =
  and (map2 (\x y -> and (map2 eq x y)) xs ys)

def updated 'a (n: i64) (m: i64) (k: i64) (start: a) (f: i64 -> a -> a) : [n][k]a =
  tabulate n (\i ->
    loop bins = replicate k start for j < m do
      let b = key k i j
      in #[unsafe] if b >= 0 && b < k then bins with [b] = copy (f j bins[b]) else bins)

def sums (n: i64) (m: i64) (k: i64) (start: i32) (f: i64 -> i32) : [n][k]i32 =
  updated n m k start (\j x -> x + f j)

entry counts (n: i64) (m: i64) (k: i64) : bool =
  let found = tabulate n (\i -> reduce_by_index (replicate k 0) (+) 0 (tabulate m (key k i)) (replicate m 1i32))
  in all_equal (==) found (sums n m k 0 (const 1))

entry largest (n: i64) (m: i64) (k: i64) : bool =
  let value (j: i64) = f32.i64 (j * 7919 % 10007)
  let found =
    tabulate n (\i -> reduce_by_index (replicate k (-1)) f32.max f32.lowest (tabulate m (key k i)) (tabulate m value))
  in all_equal (==) found (updated n m k (-1) (\j x -> f32.max x (value j)))

entry several (n: i64) (m: i64) (k: i64) : bool =
  let found =
    tabulate n (\i ->
      (reduce_by_index (replicate k 5) (+) 0 (tabulate m (key k i)) (replicate m 2i32),
       reduce_by_index (replicate k 0) (+) 0 (tabulate m (key k i)) (tabulate m i32.i64)))
  let (xs, ys) = unzip found
  in all_equal (==) xs (sums n m k 5 (const 2)) && all_equal (==) ys (sums n m k 0 i32.i64)
