-- Scans include their own element.
-- ==
-- entry: sums
-- input { [1, 2, 3, 4] }
-- output { [1, 3, 6, 10] }
-- input { [7] }
-- output { [7] }
-- input { empty([0]i32) }
-- output { empty([0]i32) }

-- ==
-- entry: triangular
-- input { 1i64 }
-- output { true }
-- input { 5000i64 }
-- output { true }

entry sums [n] (xs: [n]i32) : [n]i32 = scan (+) 0 xs
entry triangular (n: i64) : bool =
  let s = scan (+) 0 (iota n)
  in and (map2 (\x i -> x == i * (i + 1) / 2) s (iota n))
