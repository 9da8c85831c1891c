-- Integer division rounds down with / and %, and towards zero with // and %%.
-- ==
-- entry: division
-- input { 7 2 } output { 3 1 3 1 }
-- input { -7 2 } output { -4 1 -3 -1 }
-- input { 7 -2 } output { -4 -1 -3 1 }
-- input { -7 -2 } output { 3 -1 3 -1 }
-- input { 1 0 } error: zero

-- Arithmetic wraps around at the width of the type.
-- ==
-- entry: wrapping
-- input { 127i8 255u8 2147483647i32 } output { -128i8 0u8 -2i32 }

-- A power is repeated multiplication; there is none with a negative exponent.
-- ==
-- entry: power
-- input { 3 4 } output { 81 }
-- input { -2 3 } output { -8 }
-- input { 0 0 } output { 1 }
-- input { 2 -1 } error: exponent

-- Shifts to the right keep the sign, unless it is asked for otherwise.
-- ==
-- entry: bits
-- input { -8i32 1i32 } output { -4i32 2147483644i32 -16i32 -8i32 -7i32 1i32 7i32 }

-- Unary operators bind tighter than binary ones.
-- ==
-- entry: precedence
-- input { 2 3 4 } output { 14 -1 true 512i32 }

entry division (x: i32) (y: i32) = (x / y, x % y, x // y, x %% y)

entry wrapping (x: i8) (y: u8) (z: i32) = (x + 1, y + 1, z * 2)

entry power (x: i32) (y: i32) = x ** y

entry bits (x: i32) (y: i32) = (x >> y, x i32.>>> y, x << y, x ^ 0, x | y, y & 3, !x)

entry precedence (x: i32) (y: i32) (z: i32) = (x + y * z, -x + 1, x < y && y < z || z < x, x ** y ** y)
