-- Dynamic programs in workgroups, diagonal by diagonal: what a round writes lies behind what others read, and
-- what it adds comes from device memory.
-- ==
-- entry: blocks shared
-- random input { [3][7][7]i32 }
-- random input { [2][40][40]i32 }
-- random input { [5][64][64]i32 }
-- random input { [2][70][70]i32 }

def at [k] (xs: [k][k]i32) (y: i64) (x: i64) = #[unsafe] xs[y, x]

-- Longest paths through a matrix, as along the blocks of Needleman and Wunsch: rows and columns have a border.
entry blocks [q] [n] (costs: [q][n][n]i32) : [q][n][n]i32 =
  let b = i64.min n 64
  in #[flattening(only_intra)] map (\i ->
       let cost = costs[i]
       let start = tabulate_2d (b + 1) (b + 1) (\y x -> i32.i64 (y + 2 * x))
       let done =
         loop xs = start for m < 2 * b - 1 do
           let first = i64.max 0 (m - b + 1)
           let places = tabulate b (\t -> if t < first || t > m then (-1, -1) else (m - t + 1, t + 1))
           let vals =
             tabulate b (\t ->
               if t < first || t > m then 0
               else at cost (m - t) t + i32.max (at xs (m - t) t) (i32.max (at xs (m - t + 1) t) (at xs (m - t) (t + 1))))
           in scatter_2d xs places vals
       in tabulate_2d n n (\y x -> if y < b && x < b then done[y + 1, x + 1] else 0))
     (iota q)

-- Here points read what others write: the threads have to wait.
entry shared [q] [n] (costs: [q][n][n]i32) : [q][n][n]i32 =
  let b = i64.min n 64
  in #[flattening(only_intra)] map (\i ->
       let cost = costs[i]
       in loop xs = copy cost for m < b - 1 do
            let vals = tabulate b (\t -> at xs m t + at xs m (b - 1 - t) + at cost (m + 1) t)
            let places = tabulate b (\t -> (m, t))
            in scatter_2d xs places vals)
     (iota q)
