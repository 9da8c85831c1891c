-- A hole may stand for a function: using it is the error.
-- ==
-- entry: applied
-- input { 1 }
-- error: hole
entry applied (x: i32) : i32 = ??? x

-- ==
-- entry: passed
-- input { [1, 2] }
-- error: hole
entry passed (xs: []i32) : []i32 = map ??? xs

-- ==
-- entry: bound
-- input { 3 }
-- error: hole
entry bound (x: i32) : i32 =
  let f : bool -> bool = ???
  let r = {f, g = (+ 1)}
  in r.g x
