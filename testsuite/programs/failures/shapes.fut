-- Arrays that do not have the size that they are to have, and numbers without a result.
-- ==
-- entry: unflattened
-- input { [1, 2, 3, 4] 2i64 2i64 } output { [[1, 2], [3, 4]] }
-- input { [1, 2, 3, 4] 3i64 2i64 } error:
entry unflattened (xs: []i32) (n: i64) (m: i64) : [][]i32 = unflatten (xs :> [n * m]i32)

-- ==
-- entry: taken
-- input { [1, 2, 3] 2i64 } output { [1, 2] [3] }
-- input { [1, 2, 3] 4i64 } error:
-- input { [1, 2, 3] -1i64 } error:
entry taken (xs: []i32) (n: i64) = (take n xs, drop n xs)

-- ==
-- entry: power
-- input { 2 10 } output { 1024 }
-- input { 2 -1 } error:
entry power (x: i32) (y: i32) = x ** y

-- ==
-- entry: stepped
-- input { 1 3 6 } output { [1, 3, 5] }
-- input { 1 1 6 } error: Range 1..1..<6 is invalid
-- input { 1 0 6 } error: Range 1..0..<6 is invalid
entry stepped (a: i32) (b: i32) (c: i32) : []i32 = a..b..<c

-- ==
-- entry: remainders
-- input { -7i8 2i8 } output { -4i8 1i8 -3i8 -1i8 }
-- input { 7i8 0i8 } error:
entry remainders (x: i8) (y: i8) = (x / y, x % y, x // y, x %% y)

-- ==
-- entry: largest
-- input { empty([0]i32) } error:
-- input { [3] } output { 3 }
entry largest (xs: []i32) = loop m = head xs for x in tail xs do i32.max m x
