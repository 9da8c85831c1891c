-- Rounds that go on with what a partition does not keep, and begin with what they combine of it: its sum and length, an operator that does
-- not commute, and bins.
-- ==
-- entry: sums
-- input { [1i64, 2i64, 9i64, 4i64, 8i64] } output { 3i64 50i64 }
-- input { empty([0]i64) } output { 0i64 0i64 }
-- input { [7i64, 7i64] } output { 1i64 14i64 }

-- The means of [1, 2, 9, 4, 8], [9, 8] and [9] are 4, 8 and 9, so that 1, 2, 4 are kept, then 8, and then 9. What is kept adds up to 7 in the
-- first round, which counts once, to 8 in the second, twice, and to 9 in the third, three times.
entry sums (xs: []i64) : (i64, i64) =
  let (_, rounds, n) =
    loop (ys, rounds, n) = (xs, 0, 0) while length ys > 0 do
      let mean = i64.sum ys / length ys
      let (low, high) = partition (<= mean) ys
      in (high, rounds + 1, n + (rounds + 1) * i64.sum low)
  in (rounds, n)

-- The first of ys at least ten, which decides what is left out, in order: of [12, 3, 15, 11, 5, 20] first all but 12, 3, 11 and 5, which are
-- no more than 12, then of [15, 20] 20, then nothing.
-- ==
-- entry: firsts
-- input { [12i64, 3i64, 15i64, 11i64, 5i64, 20i64] } output { [12i64, 15i64, 20i64] }
-- input { [3i64, 12i64, 5i64] } output { [12i64] }
entry firsts (xs: []i64) : []i64 =
  (loop (ys, found) = (xs, []) while length ys > 0 do
     let first = reduce (\a b -> if a < 0 then b else a) (-1) (map (\y -> if y < 10 then -1 else y) ys)
     let (_, high) = partition (<= first) ys
     in (high, found ++ [first])).1

-- How many digits the numbers from ten on end with, and the others.
-- ==
-- entry: digits
-- input { [12i64, 3i64, 22i64, 11i64, 5i64] } output { [2i64, 1i64] [3i64, 5i64] }
-- input { [12i64] } output { [1i64] empty([0]i64) }
entry digits (xs: []i64) : ([]i64, []i64) =
  let (low, high) = partition (< 10) xs
  let used = hist (+) 0 10 (map (% 10) high) (map (const 1) high)
  in (reverse (filter (> 0) used), low)
