-- Reductions; an operator that is not commutative keeps the order.
-- ==
-- entry: totals
-- input { [1, 2, 3, 4] }
-- output { 10 24 4 1 }
-- input { [5] }
-- output { 5 5 5 5 }

-- ==
-- entry: last_one
-- input { 1i64 }
-- output { 0i64 }
-- input { 3000i64 }
-- output { 2999i64 }

-- ==
-- entry: neutral
-- input { empty([0]i32) }
-- output { 0 7 }

entry totals (xs: []i32) : (i32, i32, i32, i32) =
  (i32.sum xs, i32.product xs, i32.maximum xs, i32.minimum xs)
entry last_one (n: i64) : i64 = reduce (\a b -> if b < 0 then a else b) (-1) (iota n)
entry neutral (xs: []i32) : (i32, i32) = (reduce (+) 0 xs, reduce_comm i32.min 7 xs)
