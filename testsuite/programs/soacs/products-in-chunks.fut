-- Matrix products with few results and long rows, which run in chunks: of numbers, and of affine maps, whose composition does not commute.
-- The sums are those of Python's integers.
-- ==
-- entry: sums
-- script input { (left 1303i64, right 1303i64) }
-- output { -18558i64 }
-- script input { (left 1280i64, right 1280i64) }
-- output { -15931i64 }
-- script input { (left 300i64, right 300i64) }
-- output { -20069i64 }
-- script input { (left 0i64, right 0i64) }
-- output { 0i64 }

-- ==
-- entry: maps
-- script input { (left 1303i64, right 1303i64) }
-- output { 30064321746951i64 33492376465870i64 }
-- script input { (left 600i64, right 600i64) }
-- output { 38910627730317i64 33059048865975i64 }

entry left (k: i64) : [17][k]i32 = tabulate_2d 17 k (\i k -> i32.i64 ((i * 7 + k * 3) % 11 - 4))
entry right (k: i64) : [k][18]i32 = tabulate_2d k 18 (\k j -> i32.i64 ((k * 5 + j) % 13 - 6))

def product 'a 'b 'c [n] [m] [p] (f: a -> b -> c) (op: c -> c -> c) (ne: c) (xss: [n][m]a) (yss: [m][p]b) : [n][p]c =
  map (\xs -> map (\ys -> reduce op ne (map2 f xs ys)) (transpose yss)) xss

def weighted [n] [m] (xss: [n][m]i64) : i64 =
  i64.sum (map2 (\i x -> (i % 101) * x) (iota (n * m)) (flatten xss))

entry sums [m] (xss: [17][m]i32) (yss: [m][18]i32) : i64 =
  weighted (map (map i64.i32) (opaque (product (*) (+) 0 xss yss)))

entry maps [m] (xss: [17][m]i32) (yss: [m][18]i32) : (i64, i64) =
  let compose (a: u32, b: u32) (c: u32, d: u32) = (a * c, b * c + d)
  let element (x: i32) (y: i32) = (u32.i32 (2 * x + 1), u32.i32 (x * y))
  let (as, bs) = unzip (map unzip (opaque (product element compose (1, 0) xss yss)))
  in (weighted (map (map i64.u32) as), weighted (map (map i64.u32) bs))
