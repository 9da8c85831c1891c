-- Sizes that multiply to a number that wraps around to less: 4 times 2^62 is 0 modulo 2^64, and an array of no bytes would be read beyond its end.
-- Which of the sizes is refused first, that of a row or of the table, depends on the passes.
-- ==
-- entry: table scans
-- input { 4i64 4611686018427387904i64 7i64 }
-- error: multiply|too large|cannot allocate an array of 4611686018427387904 elements

entry table (n: i64) (m: i64) (i: i64) : i64 =
  let xs = tabulate_2d n m (\i j -> i + j)
  let ys = #[opaque] (copy xs)
  in ys[0, 0] + ys[i % n, i]

entry scans (n: i64) (m: i64) (i: i64) : (i64, i64) =
  let xs = scan (map2 (+)) (replicate m 0) (tabulate_2d n m (\i j -> i + j))
  in (xs[0, 0], xs[n - 1, i])
