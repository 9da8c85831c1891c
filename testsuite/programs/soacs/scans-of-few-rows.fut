-- Scans of few long rows, which workgroups share on a GPU (Note [Scans] in package lower). Each element must be what the operator makes of
-- the element before it and the input. Rows end at a tile, one element behind it, and elsewhere.

entry numbers (m: i64) (n: i64) : [m][n]i32 = map (\r -> map (\i -> i32.i64 ((i + r * 31) * 7919 % 10007)) (iota n)) (iota m)

def isScan [m][n] 't (eq: t -> t -> bool) (op: t -> t -> t) (as: [m][n]t) (xss: [m][n]t) : bool =
  and (map2 (\row xs -> and (map (\i -> xs[i] `eq` (if i == 0 then row[0] else xs[i-1] `op` row[i])) (iota n))) as xss)

-- ==
-- entry: sums longs maxs pairs divided bytes mapped inner looked kept
-- script input { numbers 1i64 16385i64 } output { true }
-- script input { numbers 3i64 18432i64 } output { true }
-- script input { numbers 2i64 18433i64 } output { true }
-- compiled script input { numbers 5i64 32767i64 } output { true }
-- compiled script input { numbers 1i64 100000i64 } output { true }
-- script input { numbers 0i64 20000i64 } output { true }
-- script input { numbers 3i64 0i64 } output { true }
entry sums [m][n] (as: [m][n]i32) : bool = isScan (==) (+) as (map (scan (+) 0) as)
entry longs [m][n] (as: [m][n]i32) : bool =
  let bs = map (map (\x -> i64.i32 x << 20)) as
  in isScan (==) (+) bs (map (scan (+) 0) bs)
entry maxs [m][n] (as: [m][n]i32) : bool =
  let bs = map (map f32.i32) as
  in isScan (==) f32.max bs (map (scan f32.max f32.lowest) bs)
-- linear functions, whose composition does not commute
entry pairs [m][n] (as: [m][n]i32) : bool =
  let bs = map (map (\x -> (u32.i32 x * 2 + 1, u32.i32 x % 17))) as
  let op (a, b) (c, d) = (a * c, b * c + d)
  in isScan (\(a, b) (c, d) -> a == c && b == d) op bs (map (scan op (1, 0)) bs)
-- an operator whose code is not repeated
entry divided [m][n] (as: [m][n]i32) : bool =
  let bs = map (map (\x -> i64.i32 x % 100 + 1)) as
  let op a b = (a * b) % 65521 + (a * b) / 65521 * 0
  in isScan (==) op bs (map (scan op 1) bs)
entry bytes [m][n] (as: [m][n]i32) : bool =
  let bs = map (map u8.i32) as
  in isScan (==) (+) bs (map (scan (+) 0) bs)
-- A map of the sums, beside what a row is.
entry mapped [m][n] (as: [m][n]i32) : bool =
  let xss = map (\row -> map2 (\s x -> 2 * s - x) (scan (+) 0 row) row) as
  let back = map2 (map2 (\y x -> (y + x) / 2)) xss as
  in isScan (==) (+) as back
entry inner [m][n] (as: [m][n]i32) : bool =
  let bss = [as, map (map (+ 1)) as]
  in and (map2 (isScan (==) i32.max) bss (map (map (scan i32.max 0)) bss))
-- Elements are looked up, with a check.
entry looked [m][n] (as: [m][n]i32) : bool =
  let squares = map (\i -> i32.i64 (i * i)) (iota 10007)
  let bs = map (map (\x -> squares[x])) as
  in isScan (==) (+) bs (map (\row -> scan (+) 0 (map (\x -> squares[x]) row)) as)
entry kept [m][n] (as: [m][n]i32) : bool =
  let p x = x % 3 == 0
  let parts = map (\row -> let (a, b) = partition p row in (a ++ b :> [n]i32, length a)) as
  let places = map (\row -> scan (+) 0 (map (\x -> i64.bool (p x)) row)) as
  in and (map3 (\row (part, count) ks ->
                  and (map3 (\i x k -> part[if p x then k - 1 else count + i - k] == x) (iota n) row ks)) as parts places)

-- ==
-- entry: columns
-- script input { numbers 16385i64 3i64 } output { true }
-- script input { numbers 40000i64 2i64 } output { true }
entry columns [n][m] (as: [n][m]i32) : bool =
  isScan (==) (+) (transpose as) (map (scan (+) 0) (transpose as))

-- Rows of vectors: each column of each row is a segment. Sums of vectors are compared with the last of their prefixes.
-- ==
-- entry: vectors
-- script input { numbers 1i64 16385i64 } output { true }
-- script input { numbers 2i64 18433i64 } output { true }
-- script input { numbers 300i64 7i64 } output { true }
-- script input { numbers 2i64 0i64 } output { true }
entry vectors [m][n] (as: [m][n]i32) : bool =
  let bs = map (map (\x -> [x, 3 * x, x % 7])) as
  let same (a: [3]i32) (b: [3]i32) = and (map2 (==) a b)
  let scans = map (scan (map2 (+)) [0, 0, 0]) bs
  let sums = map (reduce (map2 (+)) (replicate 3 0)) bs
  in isScan same (map2 (+)) bs scans
     && and (map2 (\row sum -> same sum (if n == 0 then [0, 0, 0] else row[n - 1])) scans sums)
