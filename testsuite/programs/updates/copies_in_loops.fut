-- Copies in loops: of what the iteration before has made (needless), of what is overwritten behind them (needed), of what an iteration
-- returns (needed).

-- ==
-- entry: shrinking
-- input { [5, 3, 8, 1, 9, 2] } output { 45 2i64 }
entry shrinking (xs: []i32) =
  let (total, _, rounds) =
    loop (total, xs, rounds) = (0, xs, 0i64) while length xs > 1 do
      let kept = copy xs
      let ys = filter (> kept[0]) xs
      in (total + i32.sum kept, ys, rounds + 1)
  in (total, rounds)

-- ==
-- entry: before
-- input { [1, 2, 3, 4] } output { 2480 [8, 16, 24, 32] }
entry before (xs: *[]i32) =
  loop (total, xs) = (0, xs) for _i < 3 do
    let old = copy xs
    let xs[0] = 0
    let new = map2 (+) old old
    in (total * 10 + xs[0] * 100 + i32.sum old * 2, scatter xs (indices old) new)

-- ==
-- entry: behind
-- input { [1, 2, 3, 4] } output { [1, 2, 3, 4] [3, 2, 1, 0] }
entry behind [n] (xs: *[n]i32) =
  loop (kept, xs) = (replicate n 0, xs) for i < 2 do
    let first = copy xs
    in if i == 0 then (first, scatter xs (indices xs) (map (4 -) first)) else (map (4 -) first, xs)
