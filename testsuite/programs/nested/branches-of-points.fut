-- Branches whose condition differs from point to point, and loops that go round as often as their point says, around operations on rows:
-- of one length, of different lengths, and of lengths that branches and rounds change. In the first case few rows have many elements, in the
-- second all are short, in the third there are none.
-- ==
-- entry: sides three sizes fixed counted until collatz triangle halves sieve deep sorted swapped nothing uneven inner placed
-- input { [300i64, 0i64, 5i64, 1000i64, 1i64, 64i64, 7i64] }
-- output { true }
-- input { [3i64, 0i64, 1i64, 2i64] }
-- output { true }
-- input { empty([0]i64) }
-- output { true }

def sum_to (m: i64) : i64 = m * (m - 1) / 2

-- Rows of one length: all points have 200 elements.
entry sides [l] (ns: [l]i64) : bool =
  let rows = map (\m -> let xs = map (+ m) (iota 200)
                        in if m % 2 == 0 then scan (+) 0 xs else map (* 2) xs) ns
  in and (map2 (\m xs -> and (map2 (\j x -> x == if m % 2 == 0 then (j + 1) * m + sum_to (j + 1) else 2 * (m + j)) (iota 200) xs)) ns rows)

-- Three sides, and a value beside the row.
entry three [l] (ns: [l]i64) : bool =
  let rs = map (\m -> let xs = iota m
                      let (ys, k) = match m % 3
                                    case 0 -> (map (+ 1) xs, i64.sum xs)
                                    case 1 -> (scan (+) 0 xs, -1)
                                    case _ -> (reverse xs, 7)
                      in (i64.sum (map2 (*) ys (iota m)), k)) ns
  in and (map2 (\m (s, k) -> let squares = (m - 1) * m * (2 * m - 1) / 6
                             in if m % 3 == 0 then s == squares + sum_to m && k == sum_to m
                                else if m % 3 == 1 then k == -1 && s == i64.sum (map (\j -> j * j * (j + 1) / 2) (iota m))
                                else k == 7 && s == (m - 1) * sum_to m - squares) ns rs)

-- Sides whose rows have other lengths than each other: m elements, m / 2, and none.
entry sizes [l] (ns: [l]i64) : bool =
  let rs = map (\m -> let ys = if m % 2 == 1 then iota m else if m > 100 then filter (\x -> x % 2 == 0) (iota m) else []
                      in (length ys, i64.sum ys)) ns
  in and (map2 (\m (k, s) -> if m % 2 == 1 then k == m && s == sum_to m
                             else let h = if m > 100 then m / 2 else 0 in k == h && s == 2 * sum_to h) ns rs)

-- Rows that keep their lengths through as many rounds at all points.
entry fixed [l] (ns: [l]i64) : bool =
  let rs = map (\m -> let xs = iota m
                      in i64.sum (loop ys = xs for i < 4 do map2 (+) ys (rotate 1 (map (+ i) ys)))) ns
  in and (map2 (\m s -> s == 16 * sum_to m + m * (0 * 8 + 1 * 4 + 2 * 2 + 3 * 1)) ns rs)

-- As many rounds as the point says.
entry counted [l] (ns: [l]i64) : bool =
  let rs = map (\m -> let (xs, k) = loop (xs, k) = (replicate 150 m, 0) for i < m % 8 do (map (+ i) xs, k + i64.sum xs)
                      in (i64.sum xs, k)) ns
  in and (map2 (\m (s, k) -> let r = m % 8
                             in s == 150 * (m + sum_to r) && k == i64.sum (map (\i -> 150 * (m + sum_to i)) (iota r))) ns rs)

-- While something that the round computes holds.
entry until [l] (ns: [l]i64) : bool =
  let rs = map (\m -> let (xs, s, _) = loop (xs, s, k) = (iota m, 0, 0i64) while s < 1000 && k < 40 do
                        let ys = map (+ 1) xs in (ys, i64.sum ys, k + 1)
                      in (i64.sum xs, s)) ns
  in and (map2 (\m (a, b) -> let k = loop k = 0i64 while (k == 0 || sum_to m + k * m < 1000) && k < 40 do k + 1
                             let total = sum_to m + k * m
                             in a == total && b == total) ns rs)

-- Rounds of numbers alone around a row.
entry collatz [l] (ns: [l]i64) : bool =
  let steps (n: i64) = (loop (n, k) = (n, 0i64) while n > 1 do (if n % 2 == 0 then n / 2 else 3 * n + 1, k + 1)).1
  let rs = map (\m -> let (_, xs) = loop (n, xs) = (m, replicate 90 0i64) while n > 1 do (if n % 2 == 0 then n / 2 else 3 * n + 1, map (+ 1) xs)
                      in i64.sum xs) ns
  in and (map2 (\m s -> s == 90 * steps m) ns rs)

-- Rows of another length in each round of each point.
entry triangle [l] (ns: [l]i64) : bool =
  let rs = map (\m -> loop s = 0 for i < i64.min m 40 do s + i64.sum (map (+ i) (iota i))) ns
  in and (map2 (\m s -> s == i64.sum (map (\i -> i * i + sum_to i) (iota (i64.min m 40)))) ns rs)

-- Rows that become shorter: half as long each round.
entry halves [l] (ns: [l]i64) : bool =
  let rs = map (\m -> let (_, s) = loop (xs, s) = (iota m, 0) while length xs > 1 do
                        let ys = filter (\x -> x % 2 == 0) xs in (map (/ 2) ys, s + i64.sum ys)
                      in s) ns
  in and (map2 (\m s -> s == (loop (n, s) = (m, 0) while n > 1 do let h = (n + 1) / 2 in (h, s + 2 * sum_to h)).1) ns rs)

-- What is left of the numbers from 2 on when multiples are taken away, as in a sieve that filters.
entry sieve [l] (ns: [l]i64) : bool =
  let rs = map (\m -> let (_, k) = loop (xs, k) = (map (+ 2) (iota (m % 120)), 0i64) while length xs > 0 do
                        let p = xs[0] in (filter (\x -> x % p != 0) xs, k + 1)
                      in k) ns
  let prime p = and (map (\d -> p % (d + 2) != 0) (iota (p - 2)))
  in and (map2 (\m k -> k == length (filter prime (map (+ 2) (iota (m % 120))))) ns rs)

-- Branches in branches in loops.
entry deep [l] (ns: [l]i64) : bool =
  let rs = map (\m -> let xs = iota m
                      in i64.sum (loop ys = xs for i < 3 do
                           if (m + i) % 2 == 0
                           then (if m > 50 then map (* 2) ys else map (+ i) ys)
                           else let t = i64.sum ys in map (\y -> y + t % 5) ys)) ns
  in and (map2 (\m s -> s == (loop s = sum_to m for i < 3 do
                                if (m + i) % 2 == 0 then (if m > 50 then 2 * s else s + i * m) else s + m * (s % 5))) ns rs)

-- Quicksort by a loop in each point: pieces are kept in a stack of bounds, here as steps of a merge of sorted halves of growing width.
entry sorted [l] (ns: [l]i64) : bool =
  let step [n] (w: i64) (xs: [n]i64) : [n]i64 =
    tabulate n (\j -> let base = j / (2 * w) * 2 * w
                      let x = xs[j]
                      let (from, to) = if j < base + w then (i64.min n (base + w), i64.min n (base + 2 * w)) else (base, base + w)
                      in (x, i64.min (from) to, to, j < base + w, j, base)) |>
    (\ps -> let places = map (\(x, from, to, first, j, base) ->
                           let below = loop c = 0 for k < to - from do
                                         c + (if xs[from + k] < x || (!first && xs[from + k] == x) then 1 else 0)
                           in (if first then j else j - base - w + base) + below) ps
            in scatter (replicate n 0) places xs)
  let rs = map (\m -> let m = m % 70
                      let xs = map (\i -> (i * 37 + m) % 61) (iota m)
                      let (ys, _) = loop (ys, w) = (xs, 1) while w < m do (step w ys, 2 * w)
                      in (and (map (\i -> i == 0 || ys[i - 1] <= ys[i]) (iota m)), i64.sum ys == i64.sum xs)) ns
  in and (map (\(a, b) -> a && b) rs)

-- Values that change places in a loop, and one that the loop leaves alone.
entry swapped [l] (ns: [l]i64) : bool =
  let rs = map (\m -> let (xs, ys) = loop (xs, ys) = (iota m, map (* 2) (iota m)) for _i < m % 3 do (ys, map (+ 1) xs)
                      in (i64.sum xs, i64.sum ys)) ns
  in and (map2 (\m (a, b) -> let (x, y) = (sum_to m, 2 * sum_to m)
                             in if m % 3 == 0 then a == x && b == y else if m % 3 == 1 then a == y && b == x + m else a == x + m && b == y + m) ns rs)

-- A side that no point takes, with an index that would be outside.
entry nothing [l] (ns: [l]i64) : bool =
  let rs = map (\m -> let xs = iota m in i64.sum (if m < 0 then map (+ xs[m]) xs else if m > 0 then map (+ xs[m - 1]) xs else xs)) ns
  in and (map2 (\m s -> s == sum_to m + m * i64.max 0 (m - 1)) ns rs)

-- Planes: rows of different lengths whose elements are rows of three.
entry uneven [l] (ns: [l]i64) : bool =
  let rs = map (\m -> let xss = map (\i -> [i, 1, m]) (iota m)
                      let yss = if m % 2 == 0 then map (map (+ 1)) xss else map reverse xss
                      let zss = loop zss = yss for _i < m % 4 do map (\zs -> [zs[1], zs[2], zs[0]]) zss
                      in reduce_comm (map2 (+)) (replicate 3 0) zss) ns
  in and (map2 (\m s -> let v = if m % 2 == 0 then [sum_to m + m, 2 * m, m * m + m] else [m * m, m, sum_to m]
                        in and (map2 (==) s (rotate ((m % 4) % 3) v))) ns rs)

-- Points of points: maps of maps, whose inner points take sides of their own.
entry inner [l] (ns: [l]i64) : bool =
  let rss = map (\m -> map (\k -> let xs = iota (m + k)
                                  in if (m + k) % 2 == 0 then i64.sum xs
                                     else loop s = 0 for i < k do s + i64.maximum (map (+ i) xs)) (iota 4)) ns
  in and (map2 (\m rs -> and (map2 (\k r -> let n = m + k
                                            in r == if n % 2 == 0 then sum_to n else k * (n - 1) + sum_to k) (iota 4) rs)) ns rss)

-- Updates in place of what a loop passes on, at places that differ.
entry placed [l] (ns: [l]i64) : bool =
  let rs = map (\m -> let n = m + 3
                      let xs = loop xs = iota n for i < 3 do
                                 let s = i64.sum xs
                                 let xs = map (+ 1) xs
                                 in xs with [(m + i) % n] = s
                      let ys = loop ys = iota n for i < m % 4 do
                                 let s = i64.sum ys
                                 let ys[i] = s
                                 let ys[n - 1] = ys[i] + 1
                                 in ys
                      in (i64.sum xs, i64.sum ys)) ns
  in and (map2 (\m (a, b) ->
       let n = m + 3
       let a' = i64.sum (map (\j -> (loop x = (j, sum_to n) for i < 3 do
                                       -- The element j, and the sum, after round i.
                                       let at = (m + i) % n
                                       let old = if i == 0 then at else if i == 1 then at + 1 else at + 2
                                       let x' = if j == at then x.1 else x.0 + 1
                                       in (x', x.1 + n - (old + 1) + x.1)).0) (iota n))
       let b' = (loop (s, first) = (sum_to n, n - 1) for i < m % 4 do
                   let s' = s - i - first + s + s + 1
                   let s' = if i == n - 1 then s - first + s + 1 else s'
                   in (s', s + 1)).0
       in a == a' && b == b') ns rs)
