-- A size that a pattern names is the one that the expression has, under either name.
-- ==
-- input { [1, 0, 2] } output { [2, 3] 2i64 [0i64, 1i64] }

entry main (xs: []i32) =
  let [k] (big: [k]i32) = filter (> 0) xs
  in (map (+ 1) big, k, iota k)
