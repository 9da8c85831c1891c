-- Rows of different lengths inside of maps: what is made of them, and rows of rows. In each first case few rows have many elements, so that
-- they are flattened; in the second all are short, in the third there are none.
-- ==
-- entry: sums
-- input { [300i64, 0i64, 5i64, 1000i64, 1i64] }
-- output { [45150i64, 0i64, 15i64, 500500i64, 1i64] }
-- input { [3i64, 0i64, 1i64] }
-- output { [6i64, 0i64, 1i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }

-- ==
-- entry: digits
-- input { [300i64, 0i64, 5i64, 1000i64, 1i64] }
-- output { [940862i64, 0i64, 1234i64, 140010i64, 0i64] }
-- input { [3i64, 0i64, 1i64] }
-- output { [12i64, 0i64, 0i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }

-- ==
-- entry: middles
-- input { [300i64, 0i64, 5i64, 1000i64, 1i64] }
-- output { [11476i64, 0i64, 6i64, 125751i64, 1i64] }
-- input { [3i64, 0i64, 1i64] }
-- output { [3i64, 0i64, 1i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }

-- ==
-- entry: squares
-- input { [300i64, 0i64, 5i64, 1000i64, 1i64] }
-- output { [5999900i64, 0i64, 21i64, 221555889i64, 0i64] }
-- input { [3i64, 0i64, 1i64] }
-- output { [5i64, 0i64, 0i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }

-- ==
-- entry: pyramids
-- input { [300i64, 0i64, 5i64, 1000i64, 1i64] }
-- output { [4455100i64, 0i64, 10i64, 166167000i64, 0i64] }
-- input { [3i64, 0i64, 1i64] }
-- output { [1i64, 0i64, 0i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }

-- ==
-- entry: columns
-- input { [300i64, 0i64, 5i64, 1000i64, 1i64] }
-- output { [[44850i64, 90000i64, 598i64], [0i64, 0i64, -1i64], [10i64, 25i64, 8i64], [499500i64, 1000000i64, 1998i64], [0i64, 1i64, 0i64]] }
-- input { [3i64, 0i64, 1i64] }
-- output { [[3i64, 9i64, 4i64], [0i64, 0i64, -1i64], [0i64, 1i64, 0i64]] }
-- input { empty([0]i64) }
-- output { empty([0][3]i64) }

-- ==
-- entry: later
-- input { [300i64, 0i64, 5i64, 1000i64, 1i64] }
-- output { [135451i64, 1i64, 46i64, 1501501i64, 4i64] }
-- input { [3i64, 0i64, 1i64] }
-- output { [19i64, 1i64, 4i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }

-- ==
-- entry: kept
-- input { [300i64, 0i64, 5i64, 1000i64, 1i64] }
-- output { [1550i64, 0i64, 31i64, 5167i64, 11i64] }
-- input { [3i64, 0i64, 1i64] }
-- output { [21i64, 0i64, 11i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }

-- ==
-- entry: joined
-- input { [300i64, 0i64, 5i64, 1000i64, 1i64] }
-- output { [995i64, 0i64, 55i64, 996i64, 1i64] }
-- input { [3i64, 0i64, 1i64] }
-- output { [18i64, 0i64, 1i64] }

-- ==
-- entry: spread
-- input { [300i64, 0i64, 5i64, 1000i64, 1i64] }
-- output { [5039900i64, 0i64, 24i64, 184740408i64, 0i64] }
-- input { [3i64, 0i64, 1i64] }
-- output { [8i64, 0i64, 0i64] }

-- ==
-- entry: matrix
-- input { [[200i64, 0i64], [7i64, 129i64], [0i64, 1i64]] }
-- output { [[599i64, 0i64], [21i64, 387i64], [0i64, 0i64]] }
-- input { [[2i64], [0i64]] }
-- output { [[3i64], [0i64]] }

-- ==
-- entry: prefixes
-- input { 400i64 [400i64, 0i64, 130i64] }
-- output { [79800i64, 0i64, 8385i64] }

-- ==
-- entry: fails
-- input { [300i64, 2i64] }
-- output { [900i64, 6i64] }
-- input { [300i64, 302i64] }
-- error: Index \[301\] out of bounds
-- input { [300i64, -1i64] }
-- error: Range 0\.\.1\.\.<-1 is invalid

-- A reduction.
entry sums [n] (ns: [n]i64) : [n]i64 = map (\m -> i64.sum (map (+ 1) (iota m))) ns

-- A reduction with two values and an operator that does not commute: the number that the digits of a row make, modulo a prime.
entry digits [n] (ns: [n]i64) : [n]i64 =
  let p = 1000003
  let op (a, pa) (b, pb) = ((a * pb + b) % p, pa * pb % p)
  in map (\m -> (reduce op (0, 1) (map (\i -> (i % 10, 10)) (iota m))).0) ns

-- A scan.
entry middles [n] (ns: [n]i64) : [n]i64 =
  map (\m ->
         let ys = scan (+) 0 (map (+ 1) (iota m))
         in if m > 0 then ys[m / 2] else 0)
      ns

-- A map, a filter and a reduction.
entry squares [n] (ns: [n]i64) : [n]i64 =
  map (\m -> i64.sum (filter (\i -> i % 3 == 1) (map (\i -> i * i) (iota m)))) ns

-- Rows of rows.
entry pyramids [n] (ns: [n]i64) : [n]i64 =
  map (\m -> i64.sum (map (\i -> i64.sum (iota i)) (iota m))) ns

-- Rows of arrays.
entry columns [n] (ns: [n]i64) : [n][3]i64 =
  map (\m ->
         let rows = map (\i -> [i, i + (m - i), i * 2]) (iota m)
         in [i64.sum rows[:, 0], i64.sum rows[:, 1], reduce i64.max (-1) rows[:, 2]])
      ns

-- A loop around reductions.
entry later [n] (ns: [n]i64) : [n]i64 =
  map (\m -> loop acc = 0 for t < 3 do acc + i64.sum (iota (m + t))) ns

-- Filters of what a filter keeps, which have sizes that nobody knows before.
entry kept [n] (ns: [n]i64) : [n]i64 =
  map (\m ->
         let xs = filter (\i -> i % 2 == 0) (iota m)
         let ys = filter (\i -> i % 3 == 0) xs
         in length xs * 10 + length ys)
      ns

-- A nest of two maps around rows.
entry matrix [n][k] (ns: [n][k]i64) : [n][k]i64 =
  map (map (\m -> i64.sum (map (\i -> i * 3 % 7) (iota m)))) ns

-- Slices of one array.
entry prefixes [n] (k: i64) (ns: [n]i64) : [n]i64 =
  let xs = iota k
  in map (\m -> i64.sum xs[:m]) ns

-- Checks in rows, and of their lengths.
entry fails [n] (ns: [n]i64) : [n]i64 =
  let xs = replicate 301 3i64
  in map (\m -> i64.sum (map (\i -> xs[i]) (iota m))) ns

-- Rows that are joined: the largest of sums modulo a thousand.
entry joined [n] (ns: [n]i64) : [n]i64 =
  map (\m -> i64.maximum (map i64.abs (scan (\a b -> (a + b) % 1000) 0 (iota m ++ iota (2 * m)))) |> i64.max 0) ns

-- A scatter into rows, of which indices beyond the end change nothing, in particular no other row.
entry spread [n] (ns: [n]i64) : [n]i64 =
  map (\m ->
         let xs = scatter (iota m) (map (* 3) (iota m)) (map (\i -> -i) (iota m))
         in i64.sum (map2 (*) xs (map (+ 1) (iota m))))
      ns
