-- Filter keeps the order.
-- ==
-- entry: even
-- input { [1, 2, 3, 4] }
-- output { [2, 4] }
-- input { [1, 3] }
-- output { empty([0]i32) }
-- input { empty([0]i32) }
-- output { empty([0]i32) }

-- ==
-- entry: multiples
-- input { 3000i64 }
-- output { 1000i64 1498500i64 }

entry even (xs: []i32) : []i32 = filter (\x -> x % 2 == 0) xs
entry multiples (n: i64) : (i64, i64) =
  let xs = filter (\i -> i % 3 == 0) (iota n) in (length xs, i64.sum xs)
