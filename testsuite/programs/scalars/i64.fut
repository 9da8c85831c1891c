-- Arithmetic of i64, beyond what 32 bits hold.
-- ==
-- entry: sum
-- input { 9223372036854775807i64 1i64 }
-- output { -9223372036854775808i64 }
-- input { 4294967295i64 1i64 }
-- output { 4294967296i64 }

-- ==
-- entry: product
-- input { 4294967296i64 4294967296i64 }
-- output { 0i64 }
-- input { 4294967295i64 4294967297i64 }
-- output { -1i64 }
-- input { 3000000000i64 -3i64 }
-- output { -9000000000i64 }

-- ==
-- entry: division
-- input { -10000000000i64 3i64 }
-- output { -3333333334i64 2i64 -3333333333i64 -1i64 }
-- input { 10000000000i64 -3i64 }
-- output { -3333333334i64 -2i64 -3333333333i64 1i64 }

-- ==
-- entry: shifts
-- input { 1i64 40i64 }
-- output { 1099511627776i64 0i64 0i64 }
-- input { -1i64 63i64 }
-- output { -9223372036854775808i64 -1i64 1i64 }

entry sum (x: i64) (y: i64) : i64 = x + y
entry product (x: i64) (y: i64) : i64 = x * y
entry division (x: i64) (y: i64) : (i64, i64, i64, i64) = (x / y, x % y, x // y, x %% y)
entry shifts (x: i64) (y: i64) : (i64, i64, i64) = (x << y, x >> y, x >>> y)
