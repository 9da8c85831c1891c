-- Maps over inputs that are shared, which workgroups compute in tiles.

def dot 't [n] (add: t -> t -> t) (mul: t -> t -> t) (zero: t) (xs: [n]t) (ys: [n]t): t = reduce add zero (map2 mul xs ys)

def product 't [m][n][k] (add: t -> t -> t) (mul: t -> t -> t) (zero: t) (a: [m][k]t) (b: [k][n]t): [m][n]t =
  map (\row -> map (\col -> dot add mul zero row col) (transpose b)) a

entry f32s [m][n][k] (a: [m][k]f32) (b: [k][n]f32): [m][n]f32 = product (+) (*) 0 a b
entry i64s [m][n][k] (a: [m][k]i64) (b: [k][n]i64): [m][n]i64 = product (+) (*) 0 a b
entry f64s [m][n][k] (a: [m][k]f64) (b: [k][n]f64): [m][n]f64 = product (+) (*) 0 a b
entry u8s [m][n][k] (a: [m][k]u8) (b: [k][n]u8): [m][n]u8 = product (+) (*) 0 a b
entry bools [m][n][k] (a: [m][k]bool) (b: [k][n]bool): [m][n]bool = product (||) (&&) false a b

-- Shortest ways: other operators.
entry shortest [m][n][k] (a: [m][k]i32) (b: [k][n]i32): [m][n]i32 = product i32.min (+) 1000 a b

-- Inputs that lie the other way.
entry transposed [m][n][k] (a: [k][m]f32) (b: [n][k]f32): [m][n]f32 = product (+) (*) 0 (transpose a) (transpose b)

-- What follows the product, and reads at its point.
entry epilogue [m][n][k] (a: [m][k]f32) (b: [k][n]f32) (c: [m][n]f32): [m][n]f32 =
  map2 (\row cs -> map2 (\col x -> 2 * dot (+) (*) 0 row col + 3 * x) (transpose b) cs) a c

entry batches [l][m][n][k] (a: [l][m][k]f32) (b: [l][k][n]f32): [l][m][n]f32 = map2 (\x y -> product (+) (*) 0 x y) a b

-- Blocks of rows by blocks of columns: rows and columns of a tile go over two dimensions each.
entry blocks [p][q][m][n][k] (a: [p][m][k]i32) (b: [q][n][k]i32): [p][q][m][n]i32 =
  map (\x -> map (\y -> map (\row -> map (\col -> dot (+) (*) 0 row col) y) x) b) a

-- Accumulators of two numbers: where the largest product is. The operator does not commute.
entry largest [m][n][k] (a: [m][k]i32) (b: [k][n]i32): [m][n](i32, i64) =
  let max (x, i) (y, j) = if x >= y then (x, i) else (y, j)
  in map (\row -> map (\col -> reduce max (i32.lowest, -1) (zip (map2 (*) row col) (iota k))) (transpose b)) a

-- Operators that do not commute: products of affine functions.
entry affine [m][n][k] (a: [m][k]i32) (b: [k][n]i32): [m][n](i32, i32) =
  map (\row -> map (\col -> reduce (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip row col)) (transpose b)) a

-- A weight that all share, through an index that is checked.
entry gathered [m][n][k][w] (a: [m][w]i32) (b: [w][n]i32) (at: [k]i64): [m][n]i32 =
  map (\row -> map (\col -> loop s = 0 for i < k do s * 3 + row[at[i]] * col[at[i]]) (transpose b)) a

-- A check that depends on both sides.
entry quotients [m][n][k] (a: [m][k]i32) (b: [k][n]i32): [m][n]i32 =
  map (\row -> map (\col -> loop s = 0 for i < k do s + 100 / (row[i] + col[i])) (transpose b)) a

-- Weighted squares for many weights: bfast's shape.
entry weighted [m][n][k] (x: [n][k]f32) (w: [m][k]f32): [m][n][n]f32 =
  map (\ws -> map (\r -> map (\c -> f32.sum (map3 (\a b w -> a * b * w) r c ws)) x) x) w

-- All pairs.
entry pairs [m][n] (xs: [m]i32) (ys: [n]i32): ([m]i32, [m]i32) =
  unzip (map (\x -> loop (s, most) = (0, 0) for i < n do (s * 3 + (x ^ ys[i]), i32.max most (x - ys[i]))) xs)

-- All pairs of batches.
entry pairsOf [l][m][n] (xs: [l][m]i32) (ys: [l][n]i32): [l][m]i32 =
  map2 (\xs ys -> map (\x -> loop s = 0 for i < n do s * 3 + (x ^ ys[i])) xs) xs ys

-- A row each, and what they share.
entry rows [m][n] (a: [m][n]i32) (x: [n]i32): [m]i32 = map (\row -> loop s = 0 for i < n do s * 3 + row[i] * x[i]) a

-- A row each, alone.
entry own [m][n] (a: [m][n]i32): [m]i32 = map (\row -> loop s = 0 for i < n do s * 3 + row[i]) a

-- Transpositions in memory.
entry turned [m][n] (a: [m][n]i32): [n][m]i32 = transpose a
entry turnedAll [l][m][n] (a: [l][m][n]i64): [l][n][m]i64 = map transpose a
entry turnedOut [l][m][n] (a: [l][m][n]u8): [n][l][m]u8 = transpose (map transpose a)
entry turnedPart [m][n] (a: [m][n]f32): [][]f32 = transpose a[1:, :0:-1]
