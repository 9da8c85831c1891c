-- Products of matrices whose rows are whole vectors, and not: tiles read four elements of a row at once where all rows begin at multiples of
-- four, along columns and along what is summed, from transposed inputs, parts of rows, batches and inputs that are changed before they are
-- multiplied.
-- ==
-- entry: same
-- compiled input { 388i64 20i64 400i64 } output { true }
-- input { 30i64 18i64 34i64 } output { true }

-- ==
-- entry: transposed parts batches changed
-- input { 64i64 20i64 36i64 } output { true }
-- input { 30i64 18i64 34i64 } output { true }

def matrix (n: i64) (m: i64) (k: i64) : [n][m]f32 = tabulate_2d n m (\i j -> f32.i64 ((i * 7 + j * k) % 11 - 5))

def product [n][q][m] (a: [n][q]f32) (b: [q][m]f32) : [n][m]f32 =
  #[opaque] (map (\row -> map (\col -> reduce (+) 0 (map2 (*) row col)) (transpose b)) a)

-- Whether every element is what a loop over whole numbers computes for it.
def agrees [n][m] (c: [n][m]f32) (q: i64) (a: i64 -> i64 -> i64) (b: i64 -> i64 -> i64) : bool =
  let want i j = loop s = 0 for k < q do s + a i k * b k j
  in all id (flatten (tabulate_2d n m (\i j -> c[i, j] == f32.i64 (want i j))))

def at (k: i64) (i: i64) (j: i64) : i64 = (i * 7 + j * k) % 11 - 5

entry same (n: i64) (q: i64) (m: i64) : bool = agrees (product (matrix n q 3) (matrix q m 5)) q (at 3) (at 5)

entry transposed (n: i64) (q: i64) (m: i64) : bool =
  agrees (product (transpose (matrix q n 3)) (transpose (matrix m q 5))) q (\i k -> at 3 k i) (\k j -> at 5 j k)

entry parts (n: i64) (q: i64) (m: i64) : bool =
  let a = (matrix n (q + 4) 3)[:, 4:] :> [n][q]f32
  let b = (matrix (q + 1) (m + 2) 5)[1:, 2:] :> [q][m]f32
  in agrees (product a b) q (\i k -> at 3 i (k + 4)) (\k j -> at 5 (k + 1) (j + 2))

entry batches (n: i64) (q: i64) (m: i64) : bool =
  let a = tabulate_3d 3 n q (\l i k -> f32.i64 (at 3 i k + l))
  let b = tabulate_3d 3 q m (\l k j -> f32.i64 (at 5 k j - l))
  let c = #[opaque] (map2 (\x y -> map (\row -> map (\col -> reduce (+) 0 (map2 (*) row col)) (transpose y)) x) a b)
  in all id (tabulate 3 (\l -> agrees c[l] q (\i k -> at 3 i k + l) (\k j -> at 5 k j - l)))

entry changed (n: i64) (q: i64) (m: i64) : bool =
  let a = map (map (\x -> 2 * x + 1)) (matrix n q 3)
  let b = map (map f32.abs) (matrix q m 5)
  in agrees (product a b) q (\i k -> 2 * at 3 i k + 1) (\k j -> i64.abs (at 5 k j))

-- The inner products of a blocked decomposition: where a row of a block begins is computed from the block's number.
-- ==
-- entry: blocks
-- input { 3i64 } output { true }
-- compiled input { 16i64 } output { true }

entry blocks (n: i64) : bool =
  let top = tabulate_3d n 16 16 (\l i j -> f32.i64 (at 3 (i + l) j))
  let left = tabulate_3d n 16 16 (\l i j -> f32.i64 (at 5 (i + l) j))
  let one (x: [16][16]f32) (y: [16][16]f32) = map (\row -> map (\col -> reduce (+) 0 (map2 (*) row col)) (transpose y)) x
  let c = #[opaque] (map (\x -> map (\y -> one x y) top) left)
  in all id (tabulate n (\l -> all id (tabulate n (\m -> agrees c[l, m] 16 (\i k -> at 5 (i + l) k) (\k j -> at 3 (k + m) j)))))
