-- Operators on tuples of f64: many emulated operations in one kernel where the device has no f64, in
-- one segment and in many.
-- ==
-- entry: sums
-- input { [1.0f64, 2.0f64, 3.0f64] } output { 6.0f64 14.0f64 36.0f64 2.0f64 }
-- input { empty([0]f64) } output { 0.0f64 0.0f64 0.0f64 1.0f64 }

-- ==
-- entry: prefixes
-- input { [1.0f64, 2.0f64, 3.0f64, 4.0f64] }
-- output { [1.0f64, 3.0f64, 6.0f64, 10.0f64] [1.0f64, 5.0f64, 14.0f64, 30.0f64]
--          [1.0f64, 9.0f64, 36.0f64, 100.0f64] [0.5f64, 0.25f64, 0.125f64, 0.0625f64] }

-- ==
-- entry: rows
-- input { [[1.0f64, 2.0f64], [3.0f64, 4.0f64]] }
-- output { [[1.0f64, 3.0f64], [3.0f64, 7.0f64]] [[0.5f64, 0.25f64], [0.5f64, 0.25f64]] [3.0f64, 7.0f64] }

-- ==
-- entry: many
-- input { 5000i64 } output { 12497500.0f64 5000.0f64 12497500.0f64 5000.0f64 }

type quad = (f64, f64, f64, f64)

def op (a: quad) (b: quad) : quad = (a.0 + b.0, a.1 + b.1, a.2 + b.2, a.3 * b.3)

def zero : quad = (0, 0, 0, 1)

entry sums [n] (xs: [n]f64) =
  let (a, b, c, _) = reduce op zero (map (\x -> (x, x * x, x * x * x, x / x)) xs)
  in (a, b, c, if n == 0 then 1 else 2 : f64)

entry prefixes [n] (xs: [n]f64) =
  scan op zero (map (\x -> (x, x * x, x * x * x, 0.5)) xs) |> unzip4

entry rows [n] [m] (xss: [n][m]f64) =
  let scanned = map (\xs -> scan op zero (map (\x -> (x, x, x, 0.5)) xs)) xss
  let total = map (\xs -> (reduce op zero (map (\x -> (x, x, x, 1)) xs)).0) xss
  in (map (map (.0)) scanned, map (map (.3)) scanned, total)

entry many (n: i64) =
  let xs = map f64.i64 (iota n)
  let (a, b, _, _) = reduce op zero (map (\x -> (x, 1, x - x, 1)) xs)
  let (c, d, _, _) = last (scan op zero (map (\x -> (x, 1, x + x, 1)) xs))
  in (a, b, c, d)
