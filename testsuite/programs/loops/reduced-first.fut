-- Loops of the host that begin with what a filter keeps, and whose rounds begin with reductions that the host needs.

-- The branch of the last round hands on nothing new.
-- ==
-- entry: branches
-- input { [3i64, 50, 20, 90, 40, 7, 60, 31] }
-- output { [3i64, 7] 3i64 }
-- input { [1i64, 2] }
-- output { empty([0]i64) 1i64 }
-- input { empty([0]i64) }
-- output { empty([0]i64) 1i64 }
entry branches (xs: []i64) : ([]i64, i64) =
  let (ys, _, rounds) =
    loop (ys, more, k) = (filter (> 2) xs, true, 0) while more do
      let s = i64.sum ys
      let most = i64.maximum ys
      in if s > 40 && most > 9
         then (filter (\y -> y * length ys <= s) ys, true, k + 1)
         else (ys, false, k + 1)
  in (ys, rounds)

-- Whether there is another round is known as late as what it needs.
-- ==
-- entry: lengths
-- input { [3i64, 50, 20, 90, 40, 7, 60, 31] }
-- output { [90i64] 115i64 }
-- input { [5i64, 5, 5] }
-- output { empty([0]i64) 42i64 }
-- input { empty([0]i64) }
-- output { empty([0]i64) 0i64 }
entry lengths (xs: []i64) : ([]i64, i64) =
  loop (ys, acc) = (filter (> 2) xs, 0) while length ys > 1 do
    let s = i64.sum ys
    in (filter (\y -> y * length ys > s) ys, acc * 3 + i64.sum (map (% 7) (iota (s % 50))))

-- A loop in a loop, each round of which filters first.
-- ==
-- entry: inside
-- input { [3i64, 50, 20, 90, 40, 7, 60, 31] }
-- output { [3001i64, 3003, 4001, 4002] }
-- input { [1i64, 2] }
-- output { [2000i64, 2001, 2001, 2002] }
entry inside (xs: []i64) : []i64 =
  (loop (out, zs) = (replicate 4 0, copy xs) for i < 4 do
     let (ys, _, rounds) =
       loop (ys, more, k) = (filter (\z -> z % 4 <= i) zs, true, 0) while more do
         let s = i64.sum ys
         in if s > 60
            then let zs = filter (\y -> y * length ys < s) ys in (zs, length zs > 0, k + 1)
            else (ys, false, k + 2)
     let out[i] = rounds * 1000 + length ys
     in (out, map (+ length ys) zs)).0

-- Both parts of a partition are read, one by the next round.
-- ==
-- entry: parts
-- input { [3i64, 50, 20, 90, 40, 7, 60, 31] }
-- output { 451i64 2i64 }
-- input { [8i64] }
-- output { 16i64 1i64 }
entry parts (xs: []i64) : (i64, i64) =
  let (_, _, total, rounds) =
    loop (ys, more, total, k) = (filter (> 2) xs, true, 0, 0) while more do
      let s = i64.sum ys
      let most = i64.maximum ys
      let bound = 3 * (s / i64.max 1 (length ys) + 1) / 2
      in if most > bound
         then let (now, later) = partition (<= bound) ys
              in (later, true, total + i64.sum (map (% bound) now), k + 1)
         else (ys, false, total + i64.sum (map (* 2) ys), k + 1)
  in (total, rounds)
