-- Arithmetic of i32.
-- ==
-- entry: sum
-- input { 2147483647 1 }
-- output { -2147483648 }
-- input { -2147483648 -1 }
-- output { 2147483647 }

-- ==
-- entry: product
-- input { 65536 65536 }
-- output { 0 }
-- input { 65535 65537 }
-- output { -1 }
-- input { -2147483648 -1 }
-- output { -2147483648 }

-- ==
-- entry: division
-- input { -1 2 }
-- output { -1 1 0 -1 }
-- input { 1 -2 }
-- output { -1 -1 0 1 }
-- input { -2147483648 3 }
-- output { -715827883 1 -715827882 -2 }

-- ==
-- entry: shifts
-- input { -2147483648 31 }
-- output { 0 -1 1 }
-- input { 5 1 }
-- output { 10 2 2 }

-- ==
-- entry: bits
-- input { 12 10 }
-- output { 8 14 6 -13 }

entry sum (x: i32) (y: i32) : i32 = x + y
entry product (x: i32) (y: i32) : i32 = x * y
entry division (x: i32) (y: i32) : (i32, i32, i32, i32) = (x / y, x % y, x // y, x %% y)
entry shifts (x: i32) (y: i32) : (i32, i32, i32) = (x << y, x >> y, x >>> y)
entry bits (x: i32) (y: i32) : (i32, i32, i32, i32) = (x & y, x | y, x ^ y, !x)
