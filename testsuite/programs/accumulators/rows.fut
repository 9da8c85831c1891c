-- Accumulators whose operators combine rows otherwise than element by element.

def larger [k] (a: [k]i32) (b: [k]i32) : [k]i32 =
  let (x, y) = (i32.sum a, i32.sum b) in if x < y || (x == y && a[0] < b[0]) then b else a

-- The larger of the rows that meet at a place, by their sums.
-- ==
-- entry: largest
-- input { [[1, 2, 3], [5, 0, 0], [0, 9, 0], [2, 2, 2]] } output { [[0, 9, 0], [2, 2, 2]] }
-- input { [[-1, -2], [-5, 0]] } output { [[0, 0], [0, 0]] }
-- input { empty([0][2]i32) } output { [[0, 0], [0, 0]] }
entry largest [m] [k] (rows: [m][k]i32) : [2][k]i32 =
  intrinsics.hist_stream (replicate 2 (replicate k 0)) larger (replicate k 0)
    (\(acc: *intrinsics.acc ([2][k]i32)) (i: i64) -> intrinsics.acc_write acc (i % 2) rows[i])
    (iota m)

-- Places outside change nothing; loops and branches decide what is written.
-- ==
-- entry: some
-- input { [0i64, 3i64, -1i64, 2i64] [4i64, 1i64, 2i64, 0i64] } output { [[1, 1], [3, 3], [0, 0]] }
entry some [m] (places: [m]i64) (times: [m]i64) : [3][2]i32 =
  intrinsics.hist_stream (replicate 3 (replicate 2 0)) larger (replicate 2 0)
    (\(acc: *intrinsics.acc ([3][2]i32)) (i: i64) ->
       loop acc for j < times[i] do
         if j % 2 == 1 then intrinsics.acc_write acc (places[i] + 1) (replicate 2 (i32.i64 j)) else acc)
    (iota m)

-- For each point of a map by itself.
-- ==
-- entry: each
-- input { [[1, 4], [3, 2]] 5i64 } output { [[[4, 4], [3, 3]], [[4, 4], [3, 3]]] }
entry each [m] (xss: [m][2]i32) (n: i64) : [m][2][2]i32 =
  map (\xs ->
         intrinsics.hist_stream [copy xs, reverse xs] larger [0, 0]
           (\(acc: *intrinsics.acc ([2][2]i32)) (i: i64) -> intrinsics.acc_write acc (i % 2) [i32.i64 i, 4 - (i32.i64 i % 2)])
           (iota n))
      xss

-- Two arrays at once, rows of different sizes.
def both [k] (a: ([k]i32, i32)) (b: ([k]i32, i32)) : ([k]i32, i32) =
  if a.1 < b.1 then (copy b.0, b.1) else (copy a.0, a.1)

-- ==
-- entry: keyed
-- input { [[1, 2], [3, 4], [5, 6]] [7, 9, 8] } output { [[3, 4], [0, 0]] [9, 0] }
entry keyed [m] [k] (rows: [m][k]i32) (keys: [m]i32) : ([2][k]i32, [2]i32) =
  unzip (intrinsics.hist_stream (zip (replicate 2 (replicate k 0)) (replicate 2 0)) both (replicate k 0, 0)
    (\(acc: *intrinsics.acc ([2]([k]i32, i32))) (i: i64) -> intrinsics.acc_write acc 0 (rows[i], keys[i]))
    (iota m))

-- An operator on numbers that needs an array of its own, whose size is known at run time.
-- ==
-- entry: stairs
-- input { 3i64 [12, 305, 7, 41] } output { [305, 41] }
-- input { 100i64 [12, 305, 7, 41] } output { [305, 41] }
entry stairs [m] (n: i64) (xs: [m]i32) : [2]i32 =
  intrinsics.hist_stream (replicate 2 0)
    (\a b -> let c = (loop c = replicate n 0 for k < n do c with [k] = i32.max a b - i32.i64 k) in i32.maximum c)
    0
    (\(acc: *intrinsics.acc ([2]i32)) (i: i64) -> intrinsics.acc_write acc (i / 2) xs[i])
    (iota m)

-- Inside of another accumulator.
-- ==
-- entry: inside
-- input { [[1, 2], [3, 1], [0, 9]] } output { [6, 8, 18] [[0, 9], [3, 1]] }
entry inside [m] (rows: [m][2]i32) : ([m]i32, [2][2]i32) =
  let sums = intrinsics.scatter_stream (replicate m 0)
    (\(acc: *intrinsics.acc ([m]i32)) (i: i64) ->
       let best = intrinsics.hist_stream (replicate 2 (replicate 2 0)) larger [0, 0]
         (\(inner: *intrinsics.acc ([2][2]i32)) (j: i64) -> intrinsics.acc_write inner (j % 2) rows[(i + j) % m])
         (iota 1)
       in intrinsics.acc_write acc i (2 * i32.sum best[0]))
    (iota m)
  in (sums, largest rows)

-- Two updates for each element, the second of what the first has left.
-- ==
-- entry: twice
-- input { [[1, 2], [3, 0], [0, 5]] } output { [[0, 5], [5, 0]] }
entry twice [m] (rows: [m][2]i32) : [2][2]i32 =
  intrinsics.hist_stream (replicate 2 (replicate 2 0)) larger [0, 0]
    (\(acc: *intrinsics.acc ([2][2]i32)) (i: i64) -> intrinsics.acc_write (intrinsics.acc_write acc 0 rows[i]) 1 (reverse rows[i]))
    (iota m)
