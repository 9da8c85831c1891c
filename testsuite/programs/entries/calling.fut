-- An entry point that calls another.
-- ==
-- entry: outer
-- input { [1, 2] }
-- output { [2, 4] [4, 8] }

entry inner [n] (xs: [n]i32) : [n]i32 = map (* 2) xs
entry outer [n] (xs: [n]i32) : ([n]i32, [n]i32) = (inner xs, inner (inner xs))
