-- Sizes are part of types: they are passed, computed, hidden and found again.
-- ==
-- entry: implicit
-- input { [1, 2, 3] } output { 3i64 }

-- ==
-- entry: unknown
-- input { [3, 1, 2] } output { [4, 3] 2i64 }

-- ==
-- entry: coerced
-- input { [1, 2] [3, 4] } output { [4, 6] }
-- input { [1, 2] [3, 4, 5] } error: cannot match shape

-- ==
-- entry: branches
-- input { true [1, 2, 3] } output { [1] 1i64 }
-- input { false [1, 2, 3] } output { [1, 2, 3] 3i64 }

-- ==
-- entry: expressions
-- input { [1, 2] [3] } output { [1, 2, 3] [[1, 2, 3], [1, 2, 3]] 6i64 }

-- Both arguments have the same size, or the call is refused.
-- ==
-- entry: same
-- input { [1, 2] [3, 4] } output { 11 }

entry implicit [n] (_: [n]i32) = n

entry unknown (xs: []i32) =
  let [k] (big: [k]i32) = filter (> 1) xs
  in (map2 (\x _ -> x + 1) big (iota k), k)

entry coerced [n] [m] (xs: [n]i32) (ys: [m]i32) = map2 (+) xs (ys :> [n]i32)

entry branches [n] (b: bool) (xs: [n]i32) =
  let ys = if b then xs[:1] else xs
  in (ys, length ys)

def both [n] [m] (xs: [n]i32) (ys: [m]i32) : [n + m]i32 = xs ++ ys

entry expressions [n] [m] (xs: [n]i32) (ys: [m]i32) =
  let zs = both xs ys
  let rows: [2][n + m]i32 = [zs, zs]
  in (zs, rows, length (flatten rows))

entry same [n] (xs: [n]i32) (ys: [n]i32) = i32.sum (map2 (*) xs ys)
