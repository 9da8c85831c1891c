-- Maps that read an array across the order of their points, a transposed one, beside one that lies in order: workgroups take blocks of points,
-- which the edges of the matrix cut. Thin matrices have other kernels.
-- ==
-- entry: plain
-- input { 40i64 50i64 } output { -99118945 }
-- input { 33i64 9i64 } output { -2117258 }
-- input { 7i64 100i64 } output { -12177792 }
-- input { 300i64 8i64 } output { -144880809 }
-- input { 100i64 3i64 } output { -2293889 }
-- input { 0i64 40i64 } output { 0 }

def matrix (n: i64) (m: i64) (k: i64) : [n][m]i32 =
  #[opaque] (tabulate_2d n m (\i j -> i32.i64 ((i * 7 + j * 13 + k) % 101)))

def weighed [n] [m] (xss: [n][m]i32) : i32 =
  i32.sum (map2 (\x i -> x * i32.i64 (i + 1)) (flatten xss) (iota (n * m)))

entry plain (n: i64) (m: i64) : i32 =
  weighed (#[opaque] (map2 (map2 (\x y -> x - 2 * y)) (matrix n m 5) (transpose (matrix m n 8))))

-- The same in each of several matrices, where the outermost dimension is the one across, and with a check of each element.
-- ==
-- entry: batches
-- input { 3i64 40i64 17i64 } output { 311648628 107679035 1105955 }

entry batches (l: i64) (n: i64) (m: i64) : (i32, i32, i32) =
  let yss = #[opaque] (tabulate_3d l m n (\h j i -> i32.i64 ((h * 3 + i * 7 + j * 13) % 101)))
  let zss = #[opaque] (tabulate_3d m n l (\j i h -> i32.i64 ((h * 3 + i * 7 + j * 13) % 103)))
  let inner = #[opaque] (map (\ys -> map (map (* 3)) (transpose ys)) yss)
  let outer = #[opaque] (tabulate_3d l m n (\h j i -> zss[j, i, h] + 1))
  let checked = #[opaque] (tabulate_2d n m (\i j -> 100 / (yss[0, j, i] + 1)))
  in (weighed (flatten inner), weighed (flatten outer), weighed checked)
