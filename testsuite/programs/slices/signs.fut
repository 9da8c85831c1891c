-- Slices with positive and negative strides and omitted parts.
-- ==
-- entry: parts
-- input { [0, 1, 2, 3, 4, 5, 6] }
-- output { [2, 3, 4] [0, 1] [5, 6] }

-- ==
-- entry: strides
-- input { [0, 1, 2, 3, 4, 5, 6] }
-- output { [0, 2, 4, 6] [1, 4] [6, 5, 4, 3, 2, 1, 0] [6, 3, 0] }

-- ==
-- entry: nothing
-- input { [1, 2, 3] }
-- output { empty([0]i32) empty([0]i32) }

entry parts (a: [7]i32) : ([]i32, []i32, []i32) = (a[2:5], a[:2], a[5:])
entry strides (a: [7]i32) : ([]i32, []i32, []i32, []i32) = (a[::2], a[1:7:3], a[::-1], a[::-3])
entry nothing (a: [3]i32) : ([]i32, []i32) = (a[1:1], a[3:])
