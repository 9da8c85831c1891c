-- Butterflies of rows, in rounds with distances that are powers of two, as those of a fast Fourier transform: indices by quotients and
-- remainders of 32 bits. The distance of round 31 is negative, and that of round 32 is zero, which all points find out together.
-- ==
-- input { 3 [[1, 2, 3, 4, 5, 6, 7, 8], [9, -1, 0, 3, -7, 2, 2, 5]] }
-- output { [[36, -16, -8, 0, -4, 0, 0, 0], [13, 9, -7, 17, -5, 19, 7, 19]] }
-- input { 32 [[1, 2, 3, 4], [10, 0, -3, 5]] }
-- output { [[70, -30, -2, 0], [117, 213, 2, 18]] }
-- input { 33 [[1, 2, 3, 4]] }
-- error: by zero
-- input { 33 empty([0][4]i32) }
-- output { empty([0][4]i32) }

def rounds [m] (bits: i32) (xs: [m]i32) : [m]i32 =
  let distances = map (2 **) (map i32.i64 (iota (i64.i32 bits)))
  let (ys, _) =
    loop (a: *[m]i32, b: *[m]i32) = (copy xs, copy xs)
    for d in distances do
      let (is, vs, js, ws) =
        unzip4 (map (\k ->
                       let k = i32.i64 k
                       let (x, y) = (a[k], a[k + i32.i64 m / 2])
                       let i = k / d * d * 2 + k % d
                       in (i64.i32 i, x + y, i64.i32 (i + d), x - y))
                    (iota (m / 2)))
      in (scatter b (is ++ js :> [m]i64) (vs ++ ws :> [m]i32), a)
  in ys

entry main [n] [m] (bits: i32) (xss: [n][m]i32) : [n][m]i32 =
  map (rounds bits) xss
