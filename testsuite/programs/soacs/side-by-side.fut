-- Maps and reductions of arrays that have nothing in common but their size.

-- ==
-- entry: maps
-- input { [1, 2] [3, 4] } output { [2, 3] [9, 12] }
-- input { empty([0]i32) empty([0]i32) } output { empty([0]i32) empty([0]i32) }
entry maps [n] (xs: [n]i32) (ys: [n]i32) = (map (+ 1) xs, map (* 3) ys)

-- ==
-- entry: reductions
-- input { [1, 2, 6] [3, 5, 4] [7f32, 2f32, -1f32] } output { 9 5 1i64 -1f32 }
-- input { empty([0]i32) empty([0]i32) empty([0]f32) } output { 0 -2147483648 -1i64 f32.inf }
entry reductions [n] (xs: [n]i32) (ys: [n]i32) (zs: [n]f32) =
  let largest (x, i) (y, j) = if j == -1 || i != -1 && (x > y || x == y && i < j) then (x, i) else (y, j)
  let (most, at) = reduce largest (i32.lowest, -1) (zip ys (iota n))
  in (i32.sum xs, most, at, f32.minimum zs)

-- The operators do not commute, and what is mapped is kept.
-- ==
-- entry: kept
-- input { [1, 2, 3] [4, 5, 6] } output { [2, 3, 4] 2 [8, 10, 12] 12 }
entry kept [n] (xs: [n]i32) (ys: [n]i32) =
  let us = map (+ 1) xs
  let vs = map (* 2) ys
  let first a b = if a == 0 then b else a
  let last a b = if b == 0 then a else b
  in (us, reduce first 0 us, vs, reduce last 0 vs)

-- In a loop, each round reads what the one before has made.
-- ==
-- entry: rounds
-- input { 3 [1, 2] [3, 4] } output { [8, 16] [-6, -5] }
entry rounds [n] (k: i32) (xs: [n]i32) (ys: [n]i32) =
  loop (us, vs) = (xs, ys) for _i < k do (map (* 2) us, map (\v -> v - 3) vs)

-- The arrays change places.
-- ==
-- entry: swapped
-- input { 2 [1, 2] [3, 4] } output { [0, 1] [2, 3] }
entry swapped [n] (k: i32) (xs: [n]i32) (ys: [n]i32) =
  loop (us, vs) = (xs, ys) for _i < k do (map (\v -> v - 2) vs, map (+ 1) us)
