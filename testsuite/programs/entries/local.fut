-- A local declaration cannot be seen by files that import this one; an entry point it is all the same.
-- ==
-- entry: twice
-- script input { numbers 4i64 }
-- output { [0i64, 2i64, 4i64, 6i64] }

local entry numbers (n: i64) : []i64 = iota n
local entry twice (xs: []i64) : []i64 = map (* 2) xs
