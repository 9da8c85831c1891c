-- Scatters beside each other, of the same indices or of indices that one is computed from, are one kernel; one that reads what another has
-- updated stays behind it.

-- ==
-- entry: several
-- input { [3i64, 0i64, -1i64, 1i64] } output { [1, 1, 0, 1] [7, 9, 0, 6] [2i64, 2i64, 0i64, 2i64] }
entry several [n] (is: [n]i64) =
  let marks = scatter (replicate n 0i32) is (replicate n 1)
  let values = scatter (replicate n 0i32) is (map (\i -> if i == 3 then 6 else if i == 0 then 7 else 9) is)
  let sizes = scatter (replicate n 0i64) is (replicate n 2)
  in (marks, values, sizes)

-- ==
-- entry: indices
-- input { [true, false, true] } output { [5, 0, 5] [false, false, false] [true] }
-- input { [false, false] } output { [0, 0] [false, false] [false] }
entry indices [n] (flags: [n]bool) =
  let is = map2 (\f i -> if f then i else -1) flags (iota n)
  let marked = scatter (replicate n 0i32) is (replicate n 5)
  let cleared = scatter (copy flags) is (replicate n false)
  let first = scatter [false] (map (\i -> if i == 0 then 0 else -1) is) (replicate n true)
  in (marked, cleared, first)

-- ==
-- entry: behind
-- input { [1i64, 2i64, 0i64] } output { [10, 20, 0] [0, 10, 20] }
entry behind [n] (is: [n]i64) =
  let a = scatter (replicate n 0i32) is (map (\i -> 10 * (i32.i64 i % 3)) is)
  let b = scatter (replicate n 1i32) is (map (\i -> a[(i + 1) % n]) is)
  in (b, a)

-- ==
-- entry: loops
-- input { [3i64, 1i64, 2i64, 0i64] } output { [3, 3, 3, 3] [6, 2, 4, 0] }
entry loops [n] (is: [n]i64) =
  loop (xs, ys) = (replicate n 0i32, replicate n 0i32) for _k < 3 do
    (scatter xs is (map (+ 1) xs), scatter ys is (map (\i -> 2 * i32.i64 is[i]) is))
