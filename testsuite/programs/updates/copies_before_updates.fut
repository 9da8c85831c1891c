-- A copy is not made if the original is overwritten only behind the last use of the copy.
-- ==
-- entry: flags
-- input { [true, false, true, true] 3 }
-- output { 6i64 [false, false, false, false] }
-- input { empty([0]bool) 2 }
-- output { 0i64 empty([0]bool) }

-- ==
-- entry: between
-- input { [1, 2, 3] }
-- output { [101, 2, 3] 12 }

-- ==
-- entry: behind
-- input { [1, 2, 3] }
-- output { [101, 2, 3] [1, 2, 3] }

-- ==
-- entry: pairs
-- input { [5, 6, 7, 8] [1i64, 9i64, 3i64, 0i64] }
-- output { [8, 5, 0, 7] 2i64 }

-- ==
-- entry: sums_of_rows
-- input { [[1f32, 2f32], [3f32, 4f32], [5f32, 6f32]] [1, 0, 1] }
-- output { [[3f32, 4f32], [6f32, 8f32]] [1, 2] }

-- ==
-- entry: sums_of_rows
-- input { empty([0][2]f32) empty([0]i32) }
-- output { [[0f32, 0f32], [0f32, 0f32]] [0, 0] }

-- Each round filters by flags, and then overwrites them.
entry flags [n] (flags: [n]bool) (k: i32) : (i64, [n]bool) =
  let (_, flags, count) =
    loop (i, flags, count) = (0, copy flags, 0)
    while i < k do
      let on = map (.0) (filter (.1) (zip (iota n) flags))
      let next = scatter flags on (map (const false) on)
      let sum = i64.sum on + length on
      in (i + 1, next, count + (if i == 0 then sum - 2 else 0))
  in (if n == 0 then 0 else count, flags)

-- The original is overwritten, and the copy is read afterwards.
entry between (xs: []i32) : ([]i32, i32) =
  let (xs, s) =
    loop (xs, s) = (copy xs, 0)
    for i < 1 do
      let ys = copy xs
      let zs = xs with [i] = 101
      in (zs, s + 2 * i32.sum ys)
  in (xs, s)

-- The copy outlives the body.
entry behind [n] (xs: [n]i32) : ([n]i32, [n]i32) =
  loop (xs, _) = (copy xs, replicate n 0)
  for i < 1 do
    let ys = copy xs
    let zs = xs with [i] = 101
    in (zs, ys)

-- A scatter of pairs of which only one array is used, and another scatter with an index of its own.
entry pairs [n] (xs: [n]i32) (is: [n]i64) : ([n]i32, i64) =
  let (as, _) = unzip (scatter (replicate n (0, 0i64)) is (zip xs is))
  let (_, bs) = unzip (scatter (replicate n (0, 0i64)) (map (\i -> n - 1 - i) is) (zip xs is))
  in (map2 (\a b -> if b == 9 then -1 else a) as bs, i64.sum (map (\b -> if b > 0 then 1 else 0) bs))

-- A histogram whose values are rows as they are, and whose bins are used twice.
entry sums_of_rows [n] (rows: [n][2]f32) (bins: [n]i32) : ([2][2]f32, [2]i32) =
  let is = map i64.i32 bins
  in (hist (map2 (+)) [0, 0] 2 is rows, hist (+) 0 2 (map i64.i32 bins) (replicate n 1))
