-- Maps that read what another map makes of few elements, at places of their own: computed where it is read.
-- ==
-- entry: sums
-- input { 7i64 [1i64, 1i64, 2i64, 5i64, 5i64, 5i64] [1f32, 2f32, 3f32, 4f32, 5f32, 6f32] }
-- output { [0f32, 3f32, 3f32, 0f32, 0f32, 15f32, 0f32] }
-- input { 2i64 empty([0]i64) empty([0]f32) }
-- output { [0f32, 0f32] }

-- ==
-- entry: mirrored
-- input { [3i32, 1i32, 4i32, 1i32] [10i32, 20i32, 30i32, 40i32] }
-- output { [true, false, true, false] [6i32, -3i32, 3i32, -9i32] }

-- ==
-- entry: chosen
-- input { [1i32, 0i32, 3i32] [2i64, 0i64, 0i64] }
-- output { [4i32, 2i32, 2i32] 9i32 }
-- input { [1i32, 0i32, 3i32] [2i64, 0i64, 3i64] }
-- error: Index \[3\] out of bounds for array of shape \[3\]

-- ==
-- entry: overwritten
-- input { [5i32, 6i32, 7i32] }
-- output { [14i32, 12i32, 10i32] [0i32, 6i32, 7i32] }

-- Segments of equal keys, of which the first and the last differ: the last element of each has the sum. The scan, what finds the ends and
-- the scatter are one kernel.
entry sums [m] (n: i64) (keys: [m]i64) (xs: [m]f32): [n]f32 =
  let starts = map2 (!=) keys (rotate (-1) keys)
  let (_, sums) =
    unzip (scan (\(f, x) (g, y) -> (f || g, if g then y else x + y)) (false, 0) (zip starts xs))
  in scatter (replicate n 0) (map2 (\end key -> if end then key else -1) (rotate 1 starts) keys) sums

-- The SOAC that makes what is read makes something else, too.
entry mirrored [n] (xs: [n]i32) (ys: [n]i32): ([n]bool, [n]i32) =
  let (large, scaled) = unzip (map2 (\x y -> (x * 10 > y, x - y / 10)) xs ys)
  in (map (\i -> !large[n - 1 - i]) (iota n), map (* 3) scaled)

-- Checks of indices stay.
entry chosen [n] (xs: [n]i32) (is: [n]i64): ([n]i32, i32) =
  let (ones, twice) = unzip (map (\x -> (x + 1, x * 2)) xs)
  in (map (\i -> ones[i]) is, i32.sum twice + i32.sum (map (/ 3) xs))

-- What is read is computed of an array that is overwritten meanwhile.
entry overwritten [n] (xs: *[n]i32): ([n]i32, *[n]i32) =
  let twice = map (* 2) xs
  let xs[0] = 0
  in (map (\i -> twice[n - 1 - i]) (iota n), xs)
