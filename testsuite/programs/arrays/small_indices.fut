-- Indices that are computed in i32, next to the borders and beyond: on a processor they are indices where all sizes are small.
-- ==
-- entry: neighbours
-- input { [1, 2, 3, 4, 5] } output { [2i32, 4, 6, 8, 4] }
-- input { empty([0]i32) } output { empty([0]i32) }

-- ==
-- entry: above
-- input { 3i32 [[1, 2], [3, 4], [5, 6]] } output { [[1, 2], [1, 2], [3, 4]] }
-- input { 1i32 [[1, 2], [3, 4], [5, 6]] } output { [[1, 2], [0, 0], [0, 0]] }

-- ==
-- entry: overflowing
-- input { [1, 2, 3] } output { [-2147483648i64, -2147483647i64, -2147483646i64] }

-- ==
-- entry: outside
-- input { [1, 2, 3] } error: -1

-- Unsigned and short numbers may be too small for the index.
-- ==
-- entry: short
-- input { 300i64 } output { [255i64, 0i64, 43i64] }

entry neighbours [n] (xs: [n]i32): [n]i32 =
  tabulate n (\i -> let k = i32.i64 i
                    let left = if k == 0 then 0 else xs[i64.i32 (k - 1)]
                    let right = if k == i32.i64 n - 1 then 0 else xs[i64.i32 (k + 1)]
                    in left + right)

entry above [n] [m] (rows: i32) (xs: [n][m]i32): [n][m]i32 =
  tabulate_2d n m (\i j -> if i == 0 then xs[0, j]
                           else if i32.i64 i < rows then #[unsafe] xs[i32.i64 i - 1, i32.i64 j] else 0)

entry overflowing [n] (_xs: [n]i32): [n]i64 =
  map (\i -> i64.i32 (i32.i64 i + 0x7fffffff + 1)) (iota n)

entry outside [n] (xs: [n]i32): [n]i32 = tabulate n (\i -> xs[i32.i64 i - 1])

entry short (n: i64): [3]i64 =
  let bytes = map (\i -> i64.u8 (u8.i64 i)) (iota n)
  in [bytes[255], bytes[256], bytes[299]]
