-- How often a loop in a map runs, and how large an array in it is, is decided by a branch that asks nothing of the point: the rows are
-- alike. Loops that begin with numbers.
-- ==
-- entry: rounds
-- input { [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] }
-- output { [[1i32, 4i32, 10i32], [4i32, 13i32, 28i32]] }
-- input { [[1i32], [2i32]] } output { [[1i32], [2i32]] }
-- input { empty([2][0]i32) } output { empty([2][0]i32) }
-- input { empty([0][2]i32) } output { empty([0][2]i32) }
entry rounds [n] [m] (xss: [n][m]i32) : [n][m]i32 =
  map (\xs -> loop xs for _i < (if m == 1 then 0 else 2) do scan (+) 0 xs) xss

-- ==
-- entry: numbers
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] }
-- output { [[2i64, 8i64, 20i64], [8i64, 23i64, 47i64]] }
-- input { empty([1][0]i64) } output { empty([1][0]i64) }
entry numbers [n] [m] (xss: [n][m]i64) : [n][m]i64 =
  map (\xs -> loop is = iota m for _i < 2 do scan (+) 0 (map2 (+) is xs)) xss

-- ==
-- entry: halves
-- input { [[1i32, 2i32, 3i32, 4i32], [5i32, 6i32, 7i32, 8i32]] 2i64 } output { [[3i32, 7i32], [11i32, 15i32]] }
-- input { [[1i32, 2i32, 3i32, 4i32], [5i32, 6i32, 7i32, 8i32]] 0i64 } output { [[10i32], [26i32]] }
entry halves [n] [m] (xss: [n][m]i32) (k: i64) : [n][]i32 =
  let width = if k == 0 then m else k
  in map (\xs -> tabulate (m / width) (\i -> i32.sum (tabulate width (\j -> xs[i * width + j])))) xss
