-- Points make arrays whose length depends on one of their indices, in rounds of a loop of which only the rows decide how often it goes
-- round. A point has a = [x, x + 1, x + 3, x + 6, x + 10], as much of it as its index says, and b, in which one element is another.
-- ==
-- entry: arrays
-- input { 2i64 0i64 } output { [[0i64, 0i64, 0i64, 0i64, 0i64], [0i64, 0i64, 0i64, 0i64, 0i64]] }
-- input { 2i64 1i64 } output { [[0i64, 1i64, 4i64, 7i64, 13i64], [1i64, 1i64, 4i64, 7i64, 13i64]] }
-- input { 2i64 2i64 } output { [[1i64, 3i64, 12i64, 21i64, 39i64], [3i64, 3i64, 12i64, 21i64, 39i64]] }
-- input { 0i64 3i64 } output { empty([0][5]i64) }

entry arrays (rows: i64) (k: i64) : [rows][5]i64 =
  loop acc = replicate rows (replicate 5 0) for i < k do
    map2 (\r row -> map2 (\j x ->
           let a = #[sequential] map (+ x) (scan (+) 0 (iota (j + 1)))
           let b = #[sequential] scatter (copy a) [j / 2] [r + i]
           in a[j / 2] + b[j]) (iota 5) row)
      (iota rows) acc

-- The length of a point's array depends on two of three indices: it is twice what ns[i][j] says, and one. Its last elements are added up,
-- with k, once a round.
-- ==
-- entry: cubes
-- input { [[1i64, 2i64], [3i64, 0i64]] 2i64 }
-- output { [[[4i64, 6i64], [8i64, 10i64]], [[12i64, 14i64], [0i64, 2i64]]] }
entry cubes [n] [m] (ns: [n][m]i64) (rounds: i64) : [n][m][2]i64 =
  loop acc = replicate n (replicate m (replicate 2 0)) for _i < rounds do
    map2 (\ns' rows -> map2 (\len row -> map2 (\k x ->
           let a = #[sequential] scan (+) 0 (map (const 1) (iota (2 * len + 1)))
           let b = #[sequential] scatter (copy a) [len] [0]
           in x + a[2 * len] + k - 1 + i64.min 0 b[len]) (iota 2) row) ns' rows) ns acc
