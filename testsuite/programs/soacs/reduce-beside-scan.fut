-- A reduction of what is scanned, too, is the last element of the scan: before it, behind it, with tuples, and of nothing.

-- ==
-- entry: sums
-- input { [1, 2, 3, 4] } output { 10 [1, 3, 6, 10] 10 }
-- input { empty([0]i32) } output { 0 empty([0]i32) 0 }
entry sums (xs: []i32) =
  let before = i32.sum xs
  let upto = scan (+) 0 xs
  in (before, upto, reduce (+) 0 xs)

-- ==
-- entry: rows
-- input { [[1, 2], [3, 4]] } output { [3, 7] [[1, 3], [3, 7]] }
-- input { empty([2][0]i32) } output { [0, 0] empty([2][0]i32) }
entry rows (xss: [][]i32) = unzip (map (\xs -> (i32.sum xs, scan (+) 0 xs)) xss)

-- The operator keeps the left one where both are kept: the pair of sums and the first element.
-- ==
-- entry: pairs
-- input { [5, 1, 2] } output { 8 5 [5, 6, 8] [5, 5, 5] }
entry pairs (xs: []i32) =
  let op (a, x, ka) (b, y, kb) = if !ka then (b, y, kb) else if !kb then (a, x, ka) else (a + b, x, true)
  let ts = map (\x -> (x, x, true)) xs
  let (a, b, _) = reduce op (0, 0, false) ts
  let (c, d, _) = unzip3 (scan op (0, 0, false) ts)
  in (a, b, c, d)

-- Other operators and inputs are others.
-- ==
-- entry: others
-- input { [1, 2, 3] } output { 6 3 10 [1, 3, 6] }
entry others (xs: []i32) =
  let upto = scan (+) 0 xs
  in (reduce (*) 1 xs, i32.maximum xs, i32.sum (map (+ 1) xs) + 1, upto)

-- A scan that is overwritten is no source.
-- ==
-- entry: overwritten
-- input { [1, 2, 3] } output { [1, 3, 0] 6 }
entry overwritten (xs: []i32) =
  let upto = scan (+) 0 xs
  let upto[2] = 0
  in (upto, i32.sum xs)
