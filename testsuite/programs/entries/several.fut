-- Several entry points with several parameters and results.
-- ==
-- entry: none
-- input {}
-- output { 1 }

-- ==
-- entry: one
-- input { 2 }
-- output { 3 }

-- ==
-- entry: pair
-- input { 2 [true, false] }
-- output { [false, true] 2 }

entry none : i32 = 1
entry one (x: i32) : i32 = x + none
entry pair (x: i32) (bs: []bool) : ([]bool, i32) = (map (\b -> !b) bs, x)
