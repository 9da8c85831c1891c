-- Derivatives of what all points read: their updates meet, and are summed up before (Note [Updates that meet] in middle/flatten).

def values (n: i64) (m: i64) (k: i64): [n][m]f64 = tabulate_2d n m (\i j -> f64.i64 ((i * 7 + j * 5 + k) % 11) / 8 - 0.5)

-- One dimension of points, rows of weights.
-- ==
-- entry: rows
-- compiled input { 3i64 4i64 } auto output
-- compiled input { 300i64 5i64 } auto output
-- compiled input { 0i64 3i64 } auto output
entry rows (n: i64) (m: i64): [m]f64 =
  let xss = values n m 1
  in vjp (\w -> f64.sum (map (\xs -> f64.sum (map2 (*) xs w) ** 2) xss)) (map f64.i64 (iota m)) 1

-- Two dimensions of points.
-- ==
-- entry: planes
-- compiled input { 3i64 4i64 } auto output
-- compiled input { 40i64 6i64 } auto output
entry planes (n: i64) (m: i64): [m]f64 =
  let xsss = tabulate n (\i -> values 7 m i)
  in vjp (\w -> f64.sum (map (\xss -> f64.sum (map (\xs -> f64.sum (map2 (\x y -> x * y * y) xs w)) xss)) xsss)) (replicate m 1.5) 1

-- Weights that are read from the last to the first, and every second one.
-- ==
-- entry: backwards
-- compiled input { 3i64 4i64 } auto output
-- compiled input { 270i64 8i64 } auto output
entry backwards (n: i64) (m: i64): [m]f64 =
  let xss = values n m 2
  let cost w = f64.sum (map (\xs -> f64.sum (tabulate m (\j -> xs[j] * w[m - 1 - j] * w[j / 2]))) xss)
  in vjp cost (map f64.i64 (iota m)) 1

-- A matrix of weights and a vector, both by all rows; the rows' own derivatives stay apart.
-- ==
-- entry: layers
-- compiled input { 5i64 3i64 4i64 } auto output
-- compiled input { 260i64 6i64 9i64 } auto output
entry layers (n: i64) (m: i64) (k: i64): ([n][m]f64, [k][m]f64, [k]f64) =
  let cost (xss: [n][m]f64, w: [k][m]f64, b: [k]f64) =
    f64.sum (map (\xs -> f64.sum (map2 (\row c -> let y = c + f64.sum (map2 (*) row xs) in y * y) w b)) xss)
  in vjp cost (values n m 3, values k m 4, replicate k 0.25) 1

-- Only some points update.
-- ==
-- entry: some
-- compiled input { 4i64 3i64 } auto output
-- compiled input { 280i64 5i64 } auto output
entry some (n: i64) (m: i64): [m]f64 =
  let xss = values n m 5
  let cost w = f64.sum (map (\xs -> if xs[0] > 0 then f64.sum (map2 (*) xs w) else 0) xss)
  in vjp cost (replicate m 1) 1
