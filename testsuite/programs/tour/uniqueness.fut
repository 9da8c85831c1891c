-- What is updated in place changes nowhere else.
-- ==
-- entry: fresh
-- input { [1, 2] } output { [1, 2] [9, 2] [1, 9] }

-- ==
-- entry: given
-- input { [1, 2] } output { [7, 2] }

-- ==
-- entry: halves
-- input { [1, 2, 3, 4] } output { [0, 2, 3, 4] }

-- ==
-- entry: exchange
-- input { [1, 2, 3] 0i64 2i64 } output { [3, 2, 1] }

entry fresh (xs: []i32) =
  let a = copy xs with [0] = 9
  let b = map id xs
  let b[1] = 9
  in (xs, a, b)

entry given (xs: *[]i32) = xs with [0] = 7

entry halves (xs: *[]i32) =
  let first = xs[0]
  in xs with [0:2] = [first - 1, 2]

entry exchange (xs: *[]i32) (i: i64) (j: i64) =
  let (x, y) = (xs[i], xs[j])
  let xs[i] = y
  let xs[j] = x
  in xs
