-- Where a range ends before it begins is an error, except that it may exclude all: the last element would be before the first.
-- ==
-- entry: inclusive
-- input { 1 3 }
-- output { [1, 2, 3] }
-- input { 1 1 }
-- output { [1] }
-- input { 1 0 }
-- error: is invalid

-- ==
-- entry: upwards
-- input { 1 1 }
-- output { empty([0]i32) }
-- input { 1 0 }
-- error: is invalid

-- ==
-- entry: downwards
-- input { 1 1 }
-- output { empty([0]i32) }
-- input { 0 1 }
-- error: is invalid

-- ==
-- entry: stepped
-- input { 1 3 2 }
-- output { [1] }
-- input { 5 4 5 }
-- output { [5] }
-- input { 5 3 0 }
-- output { [5, 3, 1] }
-- input { 5 5 5 }
-- error: is invalid
-- input { 1 2 0 }
-- error: is invalid

-- ==
-- entry: stepped_upwards
-- input { 0 1 0 }
-- output { empty([0]i32) }
-- input { 0 0 0 }
-- error: is invalid
-- input { 5 4 5 }
-- error: is invalid

-- ==
-- entry: narrow
-- input { 250u8 255u8 }
-- output { [250u8, 251u8, 252u8, 253u8, 254u8, 255u8] }

entry inclusive (a: i32) (b: i32) = a...b
entry upwards (a: i32) (b: i32) = a..<b
entry downwards (a: i32) (b: i32) = a..>b
entry stepped (a: i32) (second: i32) (b: i32) = a..second...b
entry stepped_upwards (a: i32) (second: i32) (b: i32) = a..second..<b
-- The end is the greatest number of the type.
entry narrow (a: u8) (b: u8) = a...b
