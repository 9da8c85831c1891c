-- Histograms and updates in place of rows of different lengths, beside numbers worked out without them. In the first case few rows have many
-- elements, so that they are flattened; in the second all are short, in the third there are none.
-- ==
-- entry: few many pairs binned planes outside element slice strided chain
-- input { [300i64, 0i64, 5i64, 1000i64, 1i64] }
-- output { true }
-- input { [3i64, 0i64, 1i64] }
-- output { true }
-- input { empty([0]i64) }
-- output { true }

-- How many i below m have i % k == b.
def below (m: i64) (k: i64) (b: i64) : i64 = (m + k - 1 - b) / k

-- Bins of one number at all points.
entry few [l] (ns: [l]i64) : bool =
  let hs = map (\m -> let is = iota m in hist (+) 0 7 (map (% 7) is) (replicate m 1)) ns
  in and (map2 (\m h -> and (map2 (\b x -> x == below m 7 b) (iota 7) h)) ns hs)

-- As many bins as elements: one for each, which has its own number and another's.
entry many [l] (ns: [l]i64) : bool =
  let sums = map (\m -> let xs = iota m
                        let h = reduce_by_index (copy xs) (+) 0 (map (\i -> m - 1 - i) xs) xs
                        in (i64.sum h, and (map (== m - 1) h))) ns
  in and (map2 (\m (s, same) -> s == m * (m - 1) && same) ns sums)

-- Two destinations of one operator.
entry pairs [l] (ns: [l]i64) : bool =
  let best = map (\m -> let is = iota m
                        let h = reduce_by_index (replicate 3 (-1i64, -1i64)) (\(a, i) (b, j) -> if a > b || a == b && i < j then (a, i) else (b, j))
                                                (-1, -1) (map (% 3) is) (map (\i -> (i / 6, i)) is)
                        in h) ns
  in and (map2 (\m h -> and (map2 (\b (x, i) -> let n = below m 3 b
                                                let last = b + 3 * (n - 1) -- the last number of the bin, whose sixth is the largest
                                                let first = if last >= 3 && (last - 3) / 6 == last / 6 then last - 3 else last
                                                in if n == 0 then x == -1 && i == -1 else x == last / 6 && i == first)
                                  (iota 3) h)) ns best)

-- Numbers of elements that are the same at all points, in rows of bins of different lengths.
entry binned [l] (ns: [l]i64) : bool =
  let rs = map (\m -> let h = reduce_by_index (replicate m 0) (+) 0 (map (\i -> i * i) (iota 50)) (replicate 50 1i64)
                      in (i64.sum h, i64.sum (map2 (*) h (iota m)))) ns
  in and (map2 (\m (s, w) -> let inside = filter (< m) (map (\i -> i * i) (iota 50))
                             in s == length inside && w == i64.sum inside) ns rs)

-- Bins of two dimensions.
entry planes [l] (ns: [l]i64) : bool =
  let hs = map (\m -> let is = iota m
                      in reduce_by_index_2d (replicate 2 (replicate 3 0)) (+) 0 (map (\i -> (i % 2, i % 3)) is) is) ns
  in and (map2 (\m h -> and (flatten (tabulate_2d 2 3 (\a b ->
       let first = if (a + b) % 2 == 0 then (if a == 0 then b else b + 3 * (1 - b % 2)) else (if a == 0 then b + 3 else b)
       let first = if first % 2 == a then first else first + 3
       let n = below m 6 first in h[a, b] == n * first + 3 * n * (n - 1))))) ns hs)

-- Indices outside of the row, which is not the next row's.
entry outside [l] (ns: [l]i64) : bool =
  let hs = map (\m -> let h = reduce_by_index (replicate m 0) (+) 0 (map (\i -> 2 * i - m / 2) (iota m)) (replicate m 1i64)
                      in i64.sum h) ns
  in and (map2 (\m s -> s == i64.sum (map (\i -> let j = 2 * i - m / 2 in if j >= 0 && j < m then 1 else 0) (iota m))) ns hs)

entry element [l] (ns: [l]i64) : bool =
  let sums = map (\m -> let xs = map (* 2) (iota m)
                        let ys = if m == 0 then [] else copy xs with [m / 3] = -1
                        in (i64.sum ys, i64.sum xs)) ns
  in and (map2 (\m (y, x) -> x == m * (m - 1) && y == x - if m == 0 then 0 else 2 * (m / 3) + 1) ns sums)

entry slice [l] (ns: [l]i64) : bool =
  let sums = map (\m -> let xs = scan (+) 0 (replicate m 1)
                        let ys = copy xs with [m / 3:m / 3 + m / 2] = map (* 2) xs[0:m / 2]
                        in (i64.sum ys, i64.sum xs)) ns
  in and (map2 (\m (y, x) -> let (k, n) = (m / 3, m / 2)
                             in x == m * (m + 1) / 2 && y == x - (k * n + n * (n + 1) / 2) + n * (n + 1)) ns sums)

entry strided [l] (ns: [l]i64) : bool =
  let sums = map (\m -> let xs = map (+ 1) (iota m)
                        let ys = copy xs with [0:m:3] = replicate ((m + 2) / 3) 0
                        in i64.sum ys) ns
  in and (map2 (\m y -> let k = (m + 2) / 3 in y == m * (m + 1) / 2 - (k + 3 * k * (k - 1) / 2)) ns sums)

-- Several updates of a row that was just made, and of a copy whose elements are used before and after.
entry chain [l] (ns: [l]i64) : bool =
  let sums = map (\m -> let xs = map (+ m) (iota (m + 4))
                        let ys = copy xs with [0] = 7 with [m + 3] = xs[1] with [1] = xs[0]
                        let a = ys[1] + ys[m + 3]
                        let zs = copy ys with [1] = a
                        in (i64.sum ys, i64.sum zs, a)) ns
  in and (map2 (\m (y, z, a) -> let x = (m + 4) * m + (m + 4) * (m + 3) / 2
                                in a == 2 * m + 1 && y == x - m + 7 - (2 * m + 3) + (m + 1) - (m + 1) + m && z == y - m + a) ns sums)
