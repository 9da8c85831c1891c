-- Equality goes by structure: through arrays, records and constructors.
-- ==
-- entry: main
-- input { [1, 2] [1, 2] } output { true true false true }
-- input { [1, 2] [2, 1] } output { false false true false }
-- input { empty([0]i32) empty([0]i32) } output { true true false true }

entry main (xs: []i32) (ys: []i32) =
  let a = {v = copy xs, n = 0i32}
  let b = {v = copy ys, n = 0i32}
  let c = #some (copy xs) : #some ([]i32) | #none
  let d = #some (copy ys) : #some ([]i32) | #none
  in (xs == ys, a.v == b.v && a.n == b.n, xs != ys, match (c, d) case (#some x, #some y) -> x == y case _ -> false)
