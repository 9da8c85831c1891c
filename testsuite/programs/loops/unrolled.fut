-- Loops that are unrolled, by the attribute or by themselves, and loops over one scalar that are computed at once.

-- ==
-- entry: small
-- input { [[1f32, 2f32, 3f32], [0.5f32, 0f32, 4f32]] } output { [14f32, 16.25f32] }
entry small [n] (xss: [n][3]f32) : [n]f32 =
  map (\xs -> loop s = 0 for i < 3 do s + xs[i] * xs[i]) xss

-- ==
-- entry: asked
-- input { [5, 5, 5, 5] } output { [0, 1, 2, 5] }
-- input { [5, 5] } error: out of bounds
entry asked (xs: *[]i32) : []i32 =
  #[unroll] loop xs for i < 3 do xs with [i] = i

-- ==
-- entry: parallel
-- input { [1, 2, 3] } output { [2, 3, 1] }
-- input { empty([0]i32) } output { empty([0]i32) }
entry parallel [n] (xs: [n]i32) : [n]i32 =
  #[unroll] loop xs for _i < 4i32 do rotate 1 xs

-- A row of the loop's own, whose sizes are the loop's parameters.
-- ==
-- entry: growing
-- input { [1, 2] } output { [1, 2, 1, 2, 1, 2, 1, 2] }
entry growing (xs: []i32) : []i32 =
  #[unroll] loop xs for _i < 2i8 do xs ++ xs

-- ==
-- entry: closed
-- input { 10i16 7i16 } output { 70i16 15i16 7i16 -3i16 }
-- input { 0i16 7i16 } output { 0i16 85i16 -3i16 -3i16 }
-- input { -4i16 7i16 } output { 0i16 85i16 -3i16 -3i16 }
entry closed (n: i16) (x: i16) : (i16, i16, i16, i16) =
  ( loop acc = 0 for _i < n do acc + x
  , loop acc = 85 for _i < n do acc - x
  , loop acc = -3 for _i < n do i16.max x acc
  , loop acc = -3 for _i < n do i16.min acc x
  )

-- The number of iterations is unsigned, and larger than what signed numbers of its size hold.
-- ==
-- entry: unsigned
-- input { 200u8 3i64 } output { 600i64 }
entry unsigned (n: u8) (x: i64) : i64 = loop acc = 0 for _i < n do acc + x

-- ==
-- entry: nested
-- input { 2 9 } output { 9 }
-- input { 0 9 } output { 4 }
entry nested (n: i32) (a: i32) : i32 =
  loop x = 4 for _i < n do loop _y = x for _j < n do a
