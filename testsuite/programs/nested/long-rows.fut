-- Branches and loops that differ between few points with rows that no workgroup has memory for.

-- ==
-- entry: loops branches searches sorted
-- input { 3i64 70000i64 }
-- output { true }
-- input { 0i64 70000i64 }
-- output { true }
-- input { 2i64 0i64 }
-- output { true }

def rows (n: i64) (m: i64) : [n][m]i32 = tabulate_2d n m (\i j -> i32.i64 ((i * 7 + j * 13) % 1000))

-- Loops that go round as often as their point says: the sums of i rounds of differences are the rows.
entry loops (n: i64) (m: i64) : bool =
  let xss = rows n m
  let ahead i (xs: [m]i32) = loop ys: [m]i32 = xs for _k < i do scan (+) 0 ys
  let back i (xs: [m]i32) = loop ys: [m]i32 = xs for _k < i do map (\j -> if j == 0 then ys[0] else ys[j] - ys[j - 1]) (iota m)
  in map (\i -> all id (map2 (==) (back i (ahead i xss[i])) xss[i])) (iota n) |> all id

-- Branches on the number of the point.
entry branches (n: i64) (m: i64) : bool =
  let xss = rows n m
  let one i xs = if i % 2 == 0 then scan (+) 0 xs else map (* 3) xs
  let yss = map2 one (iota n) xss
  in map3 (\i xs ys -> if i % 2 == 0 then i32.sum xs == (if m == 0 then 0 else ys[m - 1]) else i32.sum ys == 3 * i32.sum xs) (iota n) xss yss |> all id

-- Loops with a condition that a reduction decides.
entry searches (n: i64) (m: i64) : bool =
  let doubled xs = loop (ys, k) = (xs, 0i32) while k < 8 && i32.maximum ys < 2000 do (map (* 2) ys, k + 1)
  let check xs (ys: [m]i32, k: i32) = all id (map2 (\x y -> y == x << k) xs ys) && (m == 0 || (i32.maximum ys >= 2000 && i32.maximum ys < 4000))
  let xss = rows n m
  in map2 check xss (map doubled xss) |> all id

-- Rows in order: each round of a radix sort scans and scatters, as often as a branch that is the same at all points says.
entry sorted (n: i64) (m: i64) : bool =
  let sort xs =
    loop ys: [m]i32 = xs
    for b < (if m < 2 then 0 else 10) do
      let bits = map (\y -> (y >> b) & 1) ys
      let zeros = scan (+) 0 (map (1 -) bits)
      let ones = scan (+) 0 bits
      let is = map3 (\b z o -> i64.i32 (if b == 0 then z - 1 else o - 1 + zeros[m - 1])) bits zeros ones
      in scatter (replicate m 0) is ys
  let xss = rows n m
  let yss = map sort xss
  in map2 (\xs ys -> i32.sum xs == i32.sum ys && all id (map (\j -> j == 0 || ys[j - 1] <= ys[j]) (iota m))) xss yss |> all id
