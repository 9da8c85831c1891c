-- Sizes that do not fit, and a negative one.
-- ==
-- entry: coerced
-- input { [1, 2] }
-- output { [1, 2] }
-- input { [1] }
-- error:

-- ==
-- entry: repeated
-- input { 0i64 }
-- output { empty([0]i32) }
-- input { -1i64 }
-- error:

-- ==
-- entry: ranged
-- input { 1 1 }
-- output { [1] }
-- input { 1 0 }
-- error: Range

-- ==
-- entry: looped
-- input { 2i64 }
-- error:

entry coerced (a: []i32) : [2]i32 = a :> [2]i32
entry repeated (n: i64) : []i32 = replicate n 1
entry ranged (a: i32) (b: i32) : []i32 = a...b
entry looped (n: i64) : []i32 = (iota n :> [3]i64) |> map i32.i64
