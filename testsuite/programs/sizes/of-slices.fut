-- A size that an argument says may take making an array of unknown size: the type of what is bound here mentions length (xs[::2]).
-- ==
-- entry: bound
-- input { [1, 2, 3, 4, 5, 6] } output { [4, 5, 6, 4, 5, 6] }
-- input { [1] } output { [1] }

-- ==
-- entry: coerced
-- input { [1, 2, 3, 4, 5, 6] 3i64 } output { [1, 2, 3] }
-- input { [1, 2, 3, 4, 5, 6] 2i64 } error: cannot match shape

def suffix [k] 'a (i: i64) (xs: [k]a) : []a = xs[i % (k + 1):]

entry bound (xs: []i32) : []i32 =
  let ys = suffix (length (xs[::2])) xs
  in scatter (copy xs) (indices ys) ys

entry coerced (xs: []i32) (k: i64) : []i32 = xs[:k] :> [length (xs[::2])]i32
