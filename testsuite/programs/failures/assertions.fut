-- Assertions, alone and within a map.
-- ==
-- entry: alone
-- input { 1 }
-- output { 1 }
-- input { -1 }
-- error: x > 0

-- ==
-- entry: each
-- input { [1, 2] }
-- output { [1, 2] }
-- input { [1, -2] }
-- error: x > 0

entry alone (x: i32) : i32 = assert (x > 0) x
entry each (xs: []i32) : []i32 = map (\x -> assert (x > 0) x) xs
