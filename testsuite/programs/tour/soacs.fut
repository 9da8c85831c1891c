-- The SOACs, on inputs small enough to do by hand.
-- ==
-- entry: maps
-- input { [1, 2, 3] [10, 20, 30] } output { [2, 3, 4] [11, 22, 33] [[11, 21], [12, 22]] }

-- ==
-- entry: folds
-- input { [3, 1, 2] } output { 6 3 [3, 4, 6] [0, 3, 4] 100312 213 }

-- A reduction of nothing is the neutral element.
-- ==
-- entry: folds_of_nothing
-- input { empty([0]i32) } output { 0 empty([0]i32) true false }

-- ==
-- entry: filters
-- input { [5, 2, 8, 1] } output { [5, 8] [2, 8] [5, 1] }

-- Indices that lie outside are ignored.
-- ==
-- entry: scatters
-- input { [0, 0, 0] [2i64, 5i64, -1i64, 0i64] [1, 2, 3, 4] } output { [4, 0, 1] [4, 9, 1, 9] }

-- ==
-- entry: histograms
-- input { [0i64, 2i64, 0i64, 3i64] [1, 2, 3, 4] } output { [4, 0, 2] [13, 10, 12] [[3, 1], [1, 8]] }

-- ==
-- entry: zips
-- input { [1, 2] [true, false] } output { [true, false] [1, 2] [1, 2] }

-- ==
-- entry: shapes
-- input { [1, 2, 3, 4, 5, 6] } output { [[1, 3, 5], [2, 4, 6]] [1, 3, 5, 2, 4, 6] [2, 3, 4, 5, 6, 1] [6, 5, 4, 3, 2, 1] }

entry maps [n] (xs: [n]i32) (ys: [n]i32) = (map (+ 1) xs, map2 (+) xs ys, map (\x -> map (+ x) ys[:2]) xs[:2])

entry folds (xs: []i32) =
  ( reduce (+) 0 xs
  , reduce_comm i32.max i32.lowest xs
  , scan (+) 0 xs
  , exscan (+) 0 xs
  , foldl (\a x -> a * 10 + x) 100 xs
  , foldr (\x a -> a * 10 + x) 0 xs
  )

entry folds_of_nothing (xs: []i32) = (reduce (+) 0 xs, scan (+) 0 xs, all (> 0) xs, any (> 0) xs)

entry filters (xs: []i32) =
  let (even, odd) = partition (\x -> x % 2 == 0) xs
  in (filter (> 2) xs, even, odd)

entry scatters [n] (dest: *[]i32) (is: [n]i64) (vs: [n]i32) =
  (scatter dest is vs, spread 4 9 (map (\i -> if i == 5 then -1 else i) is) vs)

entry histograms [n] (is: [n]i64) (vs: [n]i32) =
  let dest = replicate 2 (replicate 2 1)
  in ( hist (+) 0 3 is vs
     , reduce_by_index [9, 10, 10] (+) 0 is vs
     , reduce_by_index_2d dest (*) 1 [(0, 0), (1, 1), (1, 1), (2, 0)] [3, 2, 4, 5]
     )

entry zips [n] (xs: [n]i32) (bs: [n]bool) =
  let (b, a) = unzip (map (\(x, y) -> (y, x)) (zip xs bs))
  in (b, a, (unzip3 (zip3 a b a)).2)

entry shapes (xs: []i32) =
  let m = unflatten (xs :> [3 * 2]i32)
  in (transpose m, flatten (transpose m), rotate 1 xs, reverse xs)
