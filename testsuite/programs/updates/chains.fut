-- Updates reach into records and arrays in records; the original stays as it was.
-- ==
-- entry: reached
-- input { [1, 2, 3] } output { [1, 9, 3] 7 [1, 2, 3] }

type t = {xs: [3]i32, n: i32}

entry reached (xs: [3]i32) =
  let r : t = {xs = copy xs, n = 0}
  let s = r with xs[1] = 9 with n = 7
  in (s.xs, s.n, xs)

-- A field of an element, in the form of a definition.
-- ==
-- entry: defined
-- input { 5 } output { [1, 5] [2, 4] }

entry defined (x: i32) =
  let ps = [{a = 1, b = 2}, {a = 3, b = 4}]
  let ps[1].a = x
  in (map (.a) ps, map (.b) ps)
