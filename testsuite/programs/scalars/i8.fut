-- Arithmetic of i8: wrap-around, flooring and truncating division, shifts.
-- ==
-- entry: sum
-- input { 127i8 1i8 }
-- output { -128i8 }
-- input { -128i8 -1i8 }
-- output { 127i8 }
-- input { 3i8 4i8 }
-- output { 7i8 }

-- ==
-- entry: product
-- input { 16i8 16i8 }
-- output { 0i8 }
-- input { 127i8 2i8 }
-- output { -2i8 }
-- input { -128i8 -1i8 }
-- output { -128i8 }

-- ==
-- entry: division
-- input { 7i8 2i8 }
-- output { 3i8 1i8 3i8 1i8 }
-- input { -7i8 2i8 }
-- output { -4i8 1i8 -3i8 -1i8 }
-- input { 7i8 -2i8 }
-- output { -4i8 -1i8 -3i8 1i8 }
-- input { -7i8 -2i8 }
-- output { 3i8 -1i8 3i8 -1i8 }

-- ==
-- entry: shifts
-- input { -128i8 7i8 }
-- output { 0i8 -1i8 1i8 }
-- input { 1i8 3i8 }
-- output { 8i8 0i8 0i8 }

entry sum (x: i8) (y: i8) : i8 = x + y
entry product (x: i8) (y: i8) : i8 = x * y
entry division (x: i8) (y: i8) : (i8, i8, i8, i8) = (x / y, x % y, x // y, x %% y)
entry shifts (x: i8) (y: i8) : (i8, i8, i8) = (x << y, x >> y, x >>> y)
