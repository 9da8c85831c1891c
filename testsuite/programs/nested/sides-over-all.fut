-- Sides of branches that run over all points, where a flag says which count: others must not fail, and have no rows.
-- ==
-- entry: sides
-- input { [3i64, 5i64, 2i64, 0i64] } output { [303i64, 37i64, 1i64, 0i64] }
-- input { [0i64, 1i64] } output { [0i64, 0i64] }
-- input { empty([0]i64) } output { empty([0]i64) }

-- 100 divided by 1 and 3 is 100 and 33, so rows are [100, 101, 102] and [33 .. 37], of which the former has more than 40 at 2: it is added up, and
-- of the latter the largest counts. Points of 2 and less would divide by zero, or ask for an element that there is not.
entry sides [n] (ns: [n]i64) : [n]i64 =
  map (\m -> if m > 2
             then let xs = map (\i -> 100 / (m - 2) + i) (iota m)
                  in if xs[2] > 40 then i64.sum xs else i64.maximum xs
             else i64.sum (iota m)) ns

-- A loop in a side: 5 comes to 10, 2 to 1 and 1 to 0, which a point of 5 adds up, and one of 7 has 21, 3 and 0.
-- ==
-- entry: halved
-- input { [5i64, 4i64, 1i64, 7i64] } output { [11i64, 4i64, 0i64, 24i64] }
entry halved [n] (ns: [n]i64) : [n]i64 =
  map (\m -> if m % 2 == 1
             then (loop (s, i) = (0, m) while i > 0 do (s + i64.sum (iota i), i / 2)).0
             else m) ns

-- Rows that sides return, made by a filter in one of them: of [1, 2, 3, 4] without multiples of 2, and [0, 2, 4], scanned.
-- ==
-- entry: kept
-- input { [4i64, 3i64, 0i64] } output { [42i64, 83i64, 0i64] }
entry kept [n] (ns: [n]i64) : [n]i64 =
  map (\m -> let rows = if m % 2 == 0
                        then filter (\x -> x % 2 == 1) (map (+ 1) (iota m))
                        else scan (+) 0 (map (* 2) (iota m))
             in 10 * i64.sum rows + length rows) ns

-- A branch in a side of a branch, with rows that are measured in it: 6 is even and more than 4, so that [0, 1, 2] is added up, 4 is even, and
-- 3 goes over [0, 1, 2, 3, 4, 5], of which each but the last is told from the next.
-- ==
-- entry: deep
-- input { [6i64, 4i64, 3i64, 0i64] } output { [3i64, 104i64, 5i64, 100i64] }
entry deep [n] (ns: [n]i64) : [n]i64 =
  map (\m -> if m % 2 == 0
             then if m > 4 then i64.sum (map (\i -> i * 6 / m) (iota (m / 2))) else m + 100
             else let xs = scan (+) 0 (map (\i -> i * 3 / m) (iota (2 * m)))
                  in i64.sum (map (\i -> i64.bool (xs[i] < xs[i + 1])) (iota (2 * m - 1)))) ns

-- Points of a map over all weights go over the rows of the points around: [0, 1, 4] with 1 and with 10 added to each is 8 and 35.
-- ==
-- entry: weights
-- input { [3i64, 0i64, 1i64] [1i64, 10i64] } output { [43i64, 0i64, 11i64] }
-- input { [3i64] empty([0]i64) } output { [0i64] }
entry weights [n] [k] (ns: [n]i64) (qs: [k]i64) : [n]i64 =
  map (\m -> let row = map (\j -> j * j) (iota m)
             in i64.sum (map (\q -> i64.sum (map (+ q) row)) qs)) ns
