-- Maps of what scans return, which the scans compute: with inputs of their own, of tuples, of rows, by scatters, of small and large arrays.
-- Each entry compares with sums by a formula: 0 + 1 + ... + i is i * (i + 1) / 2.
-- ==
-- entry: mapped both pairs filtered partitioned thirds scattered packed
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 255i64 } output { true }
-- input { 8193i64 } output { true }
-- input { 100000i64 } output { true }

-- ==
-- entry: rows bytes variant nested
-- input { 3i64 0i64 } output { true }
-- input { 3i64 7i64 } output { true }
-- input { 2i64 1000i64 } output { true }
-- input { 300i64 33i64 } output { true }
-- input { 5000i64 3i64 } output { true }

def sum_to (i: i64) = i * (i + 1) / 2

entry mapped (n: i64) : bool =
  let ys = map (* 3) (iota n)
  let xs = map2 (\s y -> 2 * s + y) (scan (+) 0 (iota n)) ys
  in and (map2 (\x i -> x == 2 * sum_to i + 3 * i) xs (iota n))

-- The sums are results, too, and only some are read again elsewhere.
entry both (n: i64) : bool =
  let s = scan (+) 0 (iota n)
  let t = map (+ 1) s
  let last = if n == 0 then 0 else s[n - 1]
  in last == (if n == 0 then 0 else sum_to (n - 1)) && and (map3 (\a b i -> a == sum_to i && b == a + 1) s t (iota n))

entry pairs (n: i64) : bool =
  let (a, b) = unzip (scan (\(a, b) (c, d) -> (a + c, i64.max b d)) (0, 0) (map (\i -> (i, i % 10)) (iota n)))
  let c = map2 (\x i -> x + i % 2) a (iota n)
  let d = map2 (\x y -> i32.i64 (x - y)) a b
  in and (map3 (\x y i -> x == sum_to i + i % 2 && y == i32.i64 (sum_to i - i64.min i 9)) c d (iota n))

entry filtered (n: i64) : bool =
  let xs = filter (\i -> i % 3 == 1) (iota n)
  in length xs == (n + 1) / 3 && and (map2 (\x k -> x == 3 * k + 1) xs (indices xs))

entry partitioned (n: i64) : bool =
  let (xs, ys) = partition (\i -> i % 3 == 1) (iota n)
  in length xs == (n + 1) / 3 && length ys == n - length xs
     && and (map2 (\x k -> x == 3 * k + 1) xs (indices xs))
     && and (map2 (\y k -> y == k + (k + 1) / 2) ys (indices ys))

entry thirds (n: i64) : bool =
  let (xs, ys, zs) = partition2 (\i -> i % 3 == 1) (\i -> i % 3 == 0) (iota n)
  in and (map2 (\x k -> x == 3 * k + 1) xs (indices xs))
     && and (map2 (\x k -> x == 3 * k) ys (indices ys))
     && and (map2 (\x k -> x == 3 * k + 2) zs (indices zs))

-- Sums of lengths are where pieces start: a scatter of what is at these places.
entry scattered (n: i64) : bool =
  let ends = scan (+) 0 (map (\i -> i % 4) (iota n))
  let total = if n == 0 then 0 else ends[n - 1]
  let starts = scatter (replicate (3 * n) (-1)) (map2 (\e i -> if i % 4 == 0 then -1 else e - i % 4) ends (iota n)) (iota n)
  let expected = map (\k -> let (p, r) = (k / 6, k % 6)
                            let i = if r == 0 then 1 else if r == 1 then 2 else if r == 3 then 3 else -1
                            in if k < total && i >= 0 then 4 * p + i else -1) (iota (3 * n))
  in and (map2 (==) starts expected)

entry packed (n: i64) : bool =
  let xs = map2 (\s i -> u8.i64 (s + i)) (scan (+) 0 (iota n)) (iota n)
  in and (map2 (\x i -> x == u8.i64 (sum_to i + i)) xs (iota n))

entry rows (n: i64) (m: i64) : bool =
  let xss = tabulate_2d n m (\i j -> i + j)
  let yss = map (\xs -> map2 (\s x -> s - x) (scan (+) 0 xs) xs) xss
  in and (flatten (map2 (\i ys -> map2 (\j y -> y == j * i + sum_to j - j) (iota m) ys) (iota n) yss))

entry bytes (n: i64) (m: i64) : bool =
  let yss = tabulate n (\i -> map (\s -> u8.i64 (s + i)) (scan (+) 0 (iota m)))
  in and (flatten (map2 (\i ys -> map2 (\j y -> y == u8.i64 (sum_to j + i)) (iota m) ys) (iota n) yss))

-- The map needs what the point around it has.
entry variant (n: i64) (m: i64) : bool =
  let yss = tabulate n (\i -> let k = i64.sum (iota (i % 5)) in map (\s -> s * k) (scan (+) 0 (iota m)))
  in and (flatten (map2 (\i ys -> map2 (\j y -> y == sum_to j * sum_to (i % 5 - 1)) (iota m) ys) (iota n) yss))

entry nested (n: i64) (m: i64) : bool =
  let yss = tabulate n (\i -> let xs = filter (\j -> (i + j) % 2 == 0) (iota m) in (length xs, i64.sum xs))
  in and (map2 (\i (k, s) -> let first = i % 2 in k == (m - first + 1) / 2 && s == k * first + k * (k - 1)) (iota n) yss)
