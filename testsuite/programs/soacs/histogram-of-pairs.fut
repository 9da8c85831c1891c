-- Histograms of all pairs, whose bins are sought in a table of bounds: points of one dimension are taken apart into rows and columns.

def bounds : [9]i32 = map (\k -> i32.i64 (k * k) * 30) (iota 9)

def bin (x: i32) : i64 =
  let (low, _) =
    loop (low, high) = (0, 9)
    while low + 1 < high do
      let middle = (low + high) / 2
      in if x >= bounds[middle] then (middle, high) else (low, middle)
  in if x < bounds[low] then -1 else low

def counts [n] [m] (s: i32) (xs: [n]i32) (ys: [m]i32) : [9]i32 =
  let pair k = bin ((xs[k / m] + ys[k % m] + s * 5) % 2000 - 40)
  in hist (+) 0 9 (tabulate (n * m) pair) (replicate (n * m) 1)

def rows (n: i64) : [n]i32 = map (\i -> i32.i64 i * 31) (iota n)
def columns (m: i64) : [m]i32 = map (\j -> i32.i64 j * 17) (iota m)

-- ==
-- entry: pairs
-- input { 70i64 90i64 }
-- output { [90i32, 284i32, 485i32, 677i32, 872i32, 1063i32, 1258i32, 1335i32, 117i32] }
-- input { 1i64 5000i64 }
-- output { [76i32, 228i32, 379i32, 531i32, 684i32, 827i32, 964i32, 1110i32, 99i32] }
-- input { 5000i64 1i64 }
-- output { [76i32, 227i32, 375i32, 530i32, 678i32, 828i32, 969i32, 1118i32, 97i32] }
-- input { 0i64 7i64 }
-- output { [0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32] }
-- input { 7i64 0i64 }
-- output { [0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32] }

entry pairs (n: i64) (m: i64) : [9]i32 = counts 1 (rows n) (columns m)

-- ==
-- entry: segments
-- input { 3i64 70i64 90i64 }
-- output { [[92i32, 284i32, 483i32, 679i32, 870i32, 1065i32, 1258i32, 1333i32, 115i32], [90i32, 284i32, 485i32, 677i32, 872i32, 1063i32, 1258i32, 1335i32, 117i32], [92i32, 284i32, 484i32, 677i32, 871i32, 1065i32, 1258i32, 1336i32, 116i32]] }
-- input { 2i64 9i64 8001i64 }
-- output { [[1081i32, 3243i32, 5403i32, 7560i32, 9720i32, 11880i32, 14040i32, 16200i32, 1440i32], [1081i32, 3242i32, 5404i32, 7560i32, 9720i32, 11880i32, 14040i32, 16200i32, 1440i32]] }
-- input { 2i64 0i64 8i64 }
-- output { [[0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32], [0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32]] }

entry segments (s: i64) (n: i64) (m: i64) : [s][9]i32 = map (\i -> counts (i32.i64 i) (rows n) (columns m)) (iota s)
