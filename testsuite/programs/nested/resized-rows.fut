-- Rows that grow in loops without other parallelism, and branches, the same at all points, that make rows of different lengths.
-- ==
-- entry: grown
-- input { [1i64, 0i64, 5i64, 300i64] }
-- output { [1i64, 1i64, 8i64, 512i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }

-- ==
-- entry: grownOften
-- input { 3i64 [1i64, 0i64, 5i64, 300i64] }
-- output { [3i64, 0i64, 120i64, 460800i64] }
-- input { 0i64 [1i64, 7i64] }
-- output { [0i64, 0i64] }

-- ==
-- entry: doubled
-- input { 4i64 [[1i64, 2i64], [3i64, 5i64]] }
-- output { [24i64, 64i64] }
-- input { 0i64 [[1i64, 2i64]] }
-- output { [3i64] }

-- ==
-- entry: chosen
-- input { true [1i64, 0i64, 5i64, 300i64] }
-- output { [1i64, 0i64, 85i64, 13589850i64] }
-- input { false [1i64, 0i64, 5i64, 300i64] }
-- output { [14i64, 10i64, 40i64, 46060i64] }
-- input { true empty([0]i64) }
-- output { empty([0]i64) }

-- ==
-- entry: padded
-- input { [[5i64, 3i64, 9i64], [1i64, 2i64, 0i64]] }
-- output { [[5i64, 8i64, 17i64], [1i64, 3i64, 3i64]] [4i64, 4i64] }
-- input { [[5i64, 3i64], [1i64, 2i64]] }
-- output { [[5i64, 8i64], [1i64, 3i64]] [2i64, 2i64] }
-- input { empty([0][2]i64) }
-- output { empty([0][2]i64) empty([0]i64) }

entry grown (ns: []i64) : []i64 =
  map (\n -> i64.sum (loop xs = [1i64] while length xs < n do xs ++ xs)) ns

entry grownOften (k: i64) (ns: []i64) : []i64 =
  map (\n ->
         loop sum = 0
         for _i < k do
           let xs = loop xs = [n] while length xs < n do xs ++ xs
           in sum + i64.sum xs)
      ns

entry doubled [n] [m] (k: i64) (xss: [n][m]i64) : [n]i64 =
  map (\xs -> i64.sum (loop ys = copy xs for _i < k - 1 do ys ++ ys)) xss

entry chosen [n] (b: bool) (ns: [n]i64) : [n]i64 =
  map (\n ->
         let (xs, ys) =
           if b
           then (map (* n) (iota n), map (+ n) (iota n))
           else (map (+ 1) (iota (n + 1)), [n, 4, 5, n])
         in i64.sum (xs ++ ys))
      ns

-- Rows are padded to a power of two, and so is what is scanned.
def power (n: i64) : i64 = loop p = 1 while p < n do p * 2

entry padded [n] [m] (xss: [n][m]i64) : ([n][m]i64, [n]i64) =
  unzip (map (\xs ->
                let ys = if power m == m then copy xs else xs ++ replicate (power m - m) 0
                let zs = scan (+) 0 ys
                in (zs[:m], length zs))
             xss)
