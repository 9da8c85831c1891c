-- Points that go through rows of different lengths by themselves have room for arrays as long as the longest row. There may be no rows, and
-- rows of no elements; a row may be the length of one at a point around.

-- ==
-- entry: rounds
-- input { [3i64, 7i64, 1i64, 0i64, 40i64] 3i64 }
-- output { [3i64, 3i64, 3i64, 3i64, 1i64] }
-- input { empty([0]i64) 2i64 }
-- output { empty([0]i64) }
-- input { [0i64, 0i64] 1i64 }
-- output { [1i64, 1i64] }
-- input { [5i64] 0i64 }
-- output { [5i64] }

entry rounds [n] (ns: [n]i64) (k: i64) : [n]i64 =
  loop ns = copy ns for i < k do
    map (\m -> let sums = scan (+) 0 (map (\j -> j % 7 + i) (iota m))
               in 1 + i64.sum (map (\j -> sums[j * 3 % m] % 5) (iota m)) % 9) ns

-- ==
-- entry: around
-- input { [3i64, 7i64, 1i64, 0i64, 4i64] [1i64, 5i64] }
-- output { [[4i64, 18i64], [16i64, 80i64], [1i64, 1i64], [0i64, 0i64], [4i64, 36i64]] }
-- input { [2i64, 0i64] empty([0]i64) }
-- output { empty([2][0]i64) }

entry around [n] [k] (ns: [n]i64) (qs: [k]i64) : [n][k]i64 =
  map (\m -> let row = map (\j -> j * j + m) (iota m)
             in map (\q -> let sums = scan (+) 0 (map (% (q + 1)) row)
                           in i64.sum (map (\j -> sums[(j + q) % m]) (iota m))) qs) ns

-- ==
-- entry: squares
-- input { [3i64, 0i64, 5i64] }
-- output { [11i64, 0i64, 55i64] }

entry squares [n] (ns: [n]i64) : [n]i64 =
  map (\m -> let xss = map (\i -> scan (+) 0 (map (+ i) (iota m))) (iota m)
             in i64.sum (map (\i -> xss[(i * 2) % m, i]) (iota m))) ns
