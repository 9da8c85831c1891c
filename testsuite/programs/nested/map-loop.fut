-- A loop within a map: lengths of Collatz sequences.
-- ==
-- input { [1i64, 6i64, 27i64] }
-- output { [0, 8, 111] }
-- input { empty([0]i64) }
-- output { empty([0]i32) }

def main [n] (xs: [n]i64) : [n]i32 =
  map (\x -> (loop (x, s) = (x, 0) while x != 1 do (if x % 2 == 0 then x / 2 else 3 * x + 1, s + 1)).1) xs
