-- Arithmetic of i16.
-- ==
-- entry: sum
-- input { 32767i16 1i16 }
-- output { -32768i16 }
-- input { -32768i16 -1i16 }
-- output { 32767i16 }

-- ==
-- entry: product
-- input { 256i16 256i16 }
-- output { 0i16 }
-- input { 255i16 257i16 }
-- output { -1i16 }

-- ==
-- entry: division
-- input { -9i16 4i16 }
-- output { -3i16 3i16 -2i16 -1i16 }
-- input { 9i16 -4i16 }
-- output { -3i16 -3i16 -2i16 1i16 }

-- ==
-- entry: shifts
-- input { -32768i16 15i16 }
-- output { 0i16 -1i16 1i16 }

entry sum (x: i16) (y: i16) : i16 = x + y
entry product (x: i16) (y: i16) : i16 = x * y
entry division (x: i16) (y: i16) : (i16, i16, i16, i16) = (x / y, x % y, x // y, x %% y)
entry shifts (x: i16) (y: i16) : (i16, i16, i16) = (x << y, x >> y, x >>> y)
