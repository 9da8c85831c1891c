-- Loops of the host that read elements of an array at their counter: to branch on them, behind a check, in a branch, of arrays that rounds
-- change, and more rounds than are read for together.
-- ==
-- entry: chosen
-- input { [1i32, -1i32, 2i32, 0i32, -1i32] [10i64, 20i64] }
-- output { [82i64, 243i64] }

-- ==
-- entry: chosen
-- input { empty([0]i32) [10i64, 20i64] }
-- output { [10i64, 20i64] }

-- ==
-- entry: sums
-- input { 1000i64 3i64 }
-- output { 500500i64 }

-- ==
-- entry: sums
-- input { 0i64 3i64 }
-- output { 0i64 }

-- ==
-- entry: checked
-- input { [1i64, 2i64, 3i64] 3i64 }
-- output { [6i64, 6i64] }

-- ==
-- entry: checked
-- input { [1i64, 2i64, 3i64] 5i64 }
-- error: Index \[3\] out of bounds

-- ==
-- entry: in_branch
-- input { [5i64, 6i64, 7i64] 9i64 }
-- output { [18i64, 18i64, 18i64] }

-- ==
-- entry: changed
-- input { [1i64, 0i64, 0i64, 0i64] }
-- output { [1i64, 3i64, 4i64, 8i64] }

-- ==
-- entry: pairs
-- input { [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] 2i64 }
-- output { [44i64, 44i64] }

entry chosen [n] [m] (ks: [n]i32) (xs: [m]i64) : [m]i64 =
  loop xs = copy xs for i < n do
    if ks[i] < 0 then map2 (+) xs (scan (+) 0 xs)[0:m]
    else if ks[i] == 0 then map (+ 1) xs
    else map (* (i64.i32 ks[i])) xs

entry sums (n: i64) (m: i64) : i64 =
  let ks = scan (+) 0 (replicate n 1)
  let out = loop xs = replicate m 0 for i < n do if ks[i] % 2 == 0 then map (+ ks[i]) xs else map2 (+) xs (replicate m ks[i])
  in out[0]

entry checked [n] (ks: [n]i64) (k: i64) : [2]i64 =
  loop xs = replicate 2 0 for i < k do if ks[i] > 1 then map (+ ks[i]) xs else map (\x -> x + 1) (reverse xs)

entry in_branch [n] (ks: [n]i64) (k: i64) : [n]i64 =
  loop xs = replicate n 0 for i < k do
    if i < n then (if ks[i] > 5 then map (+ ks[i]) xs else map (+ 5) (reverse xs)) else xs

entry changed [n] (ks: [n]i64) : [n]i64 =
  loop xs = copy ks for i < n do
    if xs[i] > 0 && i + 1 < n
    then map2 (\j x -> if j == i + 1 then i64.sum xs + x + i64.bool (i == 0) * 2 else x) (iota n) xs
    else xs

entry pairs [n] (kss: [n][2]i64) (m: i64) : [m]i64 =
  loop xs = replicate m 0 for i < n do
    if kss[i, 0] < kss[i, 1] then map (+ kss[i, 0] * kss[i, 1]) xs else xs
