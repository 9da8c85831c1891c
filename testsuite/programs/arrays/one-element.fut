-- Arrays of which one element is read are not made: concatenations, rows of maps, repeated rows, maps over indices.
-- ==
-- entry: part
-- input { [1i32, 2i32] [3i32] [4i32, 5i32] 0i64 } output { 1i32 }
-- input { [1i32, 2i32] [3i32] [4i32, 5i32] 2i64 } output { 3i32 }
-- input { [1i32, 2i32] [3i32] [4i32, 5i32] 4i64 } output { 5i32 }
-- input { empty([0]i32) empty([0]i32) [4i32] 0i64 } output { 4i32 }
-- input { [1i32, 2i32] [3i32] [4i32, 5i32] 5i64 } error: out of bounds

-- ==
-- entry: row
-- input { [[1i32], [2i32]] [[3i32, 4i32], [5i32, 6i32]] 1i64 2i64 } output { 6i32 }
-- input { [[1i32], [2i32]] [[3i32, 4i32], [5i32, 6i32]] 2i64 0i64 } error: out of bounds

-- ==
-- entry: sums
-- input { [[1i32, 2i32], [3i32, 4i32]] 1i64 1i64 } output { 11i32 }

-- ==
-- entry: repeated
-- input { 2i64 [1i32, 2i32, 3i32] 4i64 } output { 2i32 }
-- input { 0i64 [1i32] 0i64 } error: out of bounds
-- input { 3i64 empty([0]i32) 0i64 } error: out of bounds

-- ==
-- entry: counted
-- input { 5i64 } output { 2i64 }

-- ==
-- entry: points
-- input { [0i64, 3i64, 1i64] [10i32, 20i32] [30i32, 40i32] } output { [10i32, 40i32, 20i32] }

-- ==
-- entry: literal
-- input { [5i32, 6i32] } output { [6i32] [[5i32], [5i32], [5i32]] }

-- ==
-- entry: joined
-- input { 2i64 7i32 } output { [7i32, 7i32, 7i32, 7i32, 7i32] }

-- ==
-- entry: divides
-- input { 7i64 [1i64, 2i64] } output { 9i64 }
-- input { 7i64 empty([0]i64) } output { 0i64 }

entry part (as: []i32) (bs: []i32) (cs: []i32) (i: i64) : i32 = (as ++ bs ++ cs)[i]

entry row [n] [m] [k] (as: [n][m]i32) (bs: [n][k]i32) (i: i64) (j: i64) : i32 = (map2 concat as bs)[i, j]

entry sums [n] [m] (xss: [n][m]i32) (i: i64) (j: i64) : i32 =
  (map (\xs -> let s = i32.sum xs in map (+ s) xs) xss)[i, j]

entry repeated [n] (k: i64) (xs: [n]i32) (i: i64) : i32 = (flatten (replicate k xs))[i]

entry counted (n: i64) : i64 = loop a = 0 for x in map (\i -> 2 * (i + 1)) (iota n) do a ^ x

entry points (is: []i64) (as: []i32) (bs: []i32) : []i32 = map (\i -> (as ++ bs)[i]) is

entry literal (xs: []i32) : ([1]i32, [3][1]i32) = ([xs[1]], replicate 3 (replicate 1 xs[0]))

entry joined (n: i64) (x: i32) : []i32 = replicate n x ++ replicate 3 x

entry divides [n] (a: i64) (xs: [n]i64) : i64 = loop acc = 0 for x in xs do acc + x * (a / n)
