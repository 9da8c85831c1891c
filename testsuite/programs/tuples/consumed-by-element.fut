-- To consume one array of a pair leaves the other as it was; so with the fields of a record, and with the parts of a loop's value.
-- ==
-- entry: pair
-- input { 2i64 }
-- output { [7, 1] [2, 2] }

-- ==
-- entry: field
-- input { 2i64 }
-- output { [1, 1] [2, 7] }

-- ==
-- entry: looped
-- input { 3i64 }
-- output { [0, 1, 2] [0, 0, 0] }

entry pair (n: i64) : ([]i32, []i32) =
  let (xs, ys) = (replicate n 1, replicate n 2)
  let xs = xs with [0] = 7
  in (xs, ys)

entry field (n: i64) : ([]i32, []i32) =
  let {a, b} = {a = replicate n 1i32, b = replicate n 2i32}
  let b = b with [1] = 7
  in (a, b)

entry looped (n: i64) : ([]i32, []i32) =
  loop (xs, ys) = (replicate n 0, replicate n 0) for i < n do
    (xs with [i] = i32.i64 i, ys)
