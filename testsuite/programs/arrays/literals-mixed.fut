-- Literals of constants and of what is computed: the constants are uploaded together.

-- ==
-- entry: bytes
-- input { 7u8 } output { [7u8, 1u8, 2u8, 3u8, 255u8, 8u8, 0u8] }

entry bytes (x: u8) : []u8 = [x, 1, 2, 3, 255, x + 1, 0]

-- ==
-- entry: halves
-- input { 0.5 2i64 } output { [1.5, 0.5, 2.5, 3.5, 4.5] 2.5 }

entry halves (x: f64) (i: i64) : ([]f64, f64) = let xs = [1.5, x, 2.5, 3.5, 4.5] in (xs, xs[i])

-- ==
-- entry: steps
-- input { 3i64 } output { [[3i64, 10i64, 20i64, 30i64, 40i64], [4i64, 11i64, 20i64, 30i64, 40i64], [3i64, 10i64, 20i64, 30i64, 41i64]] }

entry steps (x: i64) : [][]i64 =
  let row = [x, 10, 20, 30, 40]
  in [row, [x + 1, 11, 20, 30, 40], copy row with [4] = 41]
