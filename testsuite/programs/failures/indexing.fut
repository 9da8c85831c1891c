-- Indices outside an array are errors.
-- ==
-- entry: at
-- input { [1, 2, 3] 2i64 }
-- output { 3 }
-- input { [1, 2, 3] 3i64 }
-- error: Index \[3\] out of bounds
-- input { [1, 2, 3] -1i64 }
-- error: Index \[-1\] out of bounds
-- input { empty([0]i32) 0i64 }
-- error: out of bounds

-- ==
-- entry: slice
-- input { [1, 2, 3] 1i64 4i64 }
-- error: out of bounds
-- input { [1, 2, 3] 2i64 1i64 }
-- error: out of bounds
-- input { [1, 2, 3] 3i64 3i64 }
-- output { empty([0]i32) }

-- ==
-- entry: write
-- input { [1, 2, 3] 3i64 }
-- error: out of bounds

-- ==
-- entry: gather
-- input { [1, 2, 3] [0i64, 2i64] }
-- output { [1, 3] }
-- input { [1, 2, 3] [0i64, 5i64] }
-- error: out of bounds

entry at (a: []i32) (i: i64) : i32 = a[i]
entry slice (a: []i32) (i: i64) (j: i64) : []i32 = a[i:j]
entry write (a: *[]i32) (i: i64) : []i32 = a with [i] = 0
entry gather (a: []i32) (is: []i64) : []i32 = map (\i -> a[i]) is

-- Points of a map whose result is constant and that only check, in a branch.
-- ==
-- entry: only_checks
-- input { 2i64 3i64 0i64 }
-- output { [[0, 0, 0], [0, 0, 0]] }
-- input { 2i64 1i64 2i64 }
-- output { [[0], [0]] }
-- input { 2i64 3i64 5i64 }
-- error: out of bounds
entry only_checks (n: i64) (m: i64) (i: i64) : [n][m]i32 =
  tabulate_2d n m (\_ _ -> (replicate n 0i32)[reduce (^) 0 (if i == 0 then [] else (replicate n 0i64)[0:i]) % n])
