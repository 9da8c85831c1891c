-- Few segments that are long: some workgroups share each. i % 7 for 40,000 numbers i comes to 5,714 * 21 + 1 = 119,995; columns and rows, an
-- operator whose order matters, an empty segment, and no segment.
-- ==
-- entry: sums
-- input { 40000i64 } output { [119995i32, 239990i32, 359985i32] }
-- input { 0i64 } output { [0i32, 0i32, 0i32] }

-- ==
-- entry: columns
-- input { 40000i64 3i64 } output { [119995i32, 159995i32, 199995i32] }
-- input { 40000i64 0i64 } output { empty([0]i32) }

-- ==
-- entry: ends
-- input { 40000i64 3i64 } output { [0i32, 40000i32, 80000i32] [39999i32, 79999i32, 119999i32] }

entry sums (n: i64) : []i32 =
  map (\k -> i32.sum (map (\i -> i32.i64 (i % 7) * k) (iota n))) [1, 2, 3]

entry columns (n: i64) (m: i64) : []i32 =
  let rows = opaque (tabulate_2d n m (\i j -> i32.i64 (i % 7 + j)))
  in map i32.sum (transpose rows)

entry ends (n: i64) (m: i64) : ([]i32, []i32) =
  let rows = opaque (tabulate_2d m n (\i j -> i32.i64 (i * n + j)))
  in unzip (map (reduce (\(a, b) (c, d) -> (if a < 0 then c else a, if d < 0 then b else d)) (-1, -1) <-< map (\x -> (x, x))) rows)
