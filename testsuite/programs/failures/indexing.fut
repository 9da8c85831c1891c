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
