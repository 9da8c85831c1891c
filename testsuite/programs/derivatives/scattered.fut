-- Derivatives of tables that points read where their data say: where elements get many updates, these are histograms (Note [Updates at
-- indices that were read] in middle/flatten).

def places (n: i64) (m: i64) (k: i64): [n]i64 = tabulate n (\i -> if i % 5 == 0 then 0 else (i * 7919 + k) % m)
def values (n: i64): [n]f64 = tabulate n (\i -> f64.i64 ((i * 7 + 5) % 11) / 8 - 0.5)
def table (m: i64): [m]f64 = tabulate m (\i -> 1 + f64.i64 (i % 3) / 4)

-- One update of each point: few elements, more, as many as points, none.
-- ==
-- entry: one
-- compiled input { 5i64 3i64 } auto output
-- compiled input { 3000i64 16i64 } auto output
-- compiled input { 3000i64 1200i64 } auto output
-- compiled input { 300i64 3000i64 } auto output
-- compiled input { 0i64 3i64 } auto output
entry one (n: i64) (m: i64): [m]f64 =
  vjp (\t -> f64.sum (map2 (\i x -> let y = x * t[i] in y * y) (places n m 1) (values n))) (table m) 1

-- The same of f32 numbers.
-- ==
-- entry: narrow
-- compiled input { 2000i64 16i64 } auto output
entry narrow (n: i64) (m: i64): [m]f32 =
  let xs = map f32.f64 (values n)
  in vjp (\t -> f32.sum (map2 (\i x -> let y = x * t[i] in y * y) (places n m 1) xs)) (map f32.f64 (table m)) 1

-- Rows of an embedding.
-- ==
-- entry: rows
-- compiled input { 4i64 3i64 2i64 } auto output
-- compiled input { 700i64 9i64 6i64 } auto output
-- compiled input { 40i64 90i64 6i64 } auto output
entry rows (n: i64) (m: i64) (d: i64): [m][d]f64 =
  let t = tabulate_2d m d (\i j -> f64.i64 ((i + 2 * j) % 5) / 4)
  let w = values d
  in vjp (\t -> f64.sum (map (\i -> let y = f64.sum (map2 (*) w t[i]) in y * y) (places n m 3))) t 1

-- Two updates of one table by each point, and one of another, which is larger than points are many; the points' own derivatives as well.
-- ==
-- entry: several
-- compiled input { 6i64 4i64 50i64 } auto output
-- compiled input { 900i64 10i64 4000i64 } auto output
entry several (n: i64) (m: i64) (k: i64): ([n]f64, [m]f64, [k]f64) =
  let cost (xs: [n]f64, t: [m]f64, u: [k]f64) =
    f64.sum (map4 (\x i j l -> x * t[i] * t[j] * u[l]) xs (places n m 1) (places n m 2) (places n k 3))
  in vjp cost (values n, table m, table k) 1

-- Only some points update, and at one place or at another one.
-- ==
-- entry: some
-- compiled input { 6i64 4i64 } auto output
-- compiled input { 900i64 10i64 } auto output
entry some (n: i64) (m: i64): [m]f64 =
  let cost t =
    f64.sum (map3 (\x i j -> if x > 0.25 then x * t[i] else if x > -0.25 then t[j] * t[j] else 0) (values n) (places n m 1) (places n m 2))
  in vjp cost (table m) 1

-- Updates in loops: at a place of each iteration, and at one that the point has read before.
-- ==
-- entry: loops
-- compiled input { 5i64 3i64 4i64 } auto output
-- compiled input { 400i64 7i64 5i64 } auto output
entry loops (n: i64) (m: i64) (k: i64): [m]f64 =
  let cost t =
    f64.sum (map2 (\x i -> loop y = x for j < k do if y > 2 then y - t[i] else y * t[(i + j * j) % m]) (values n) (places n m 1))
  in vjp cost (table m) 1

-- Chains of places: each one read where the last one was.
-- ==
-- entry: chains
-- compiled input { 5i64 3i64 4i64 } auto output
-- compiled input { 400i64 7i64 5i64 } auto output
entry chains (n: i64) (m: i64) (k: i64): [m]f64 =
  let next = tabulate m (\i -> (i * 3 + 1) % m)
  let cost t =
    f64.sum (map2 (\x i -> (loop (y, i) = (x, i) for _j < k do (y * t[i], next[i])).0) (values n) (places n m 1))
  in vjp cost (table m) 1

-- A table for each part of a batch.
-- ==
-- entry: batch
-- compiled input { 3i64 5i64 3i64 } auto output
-- compiled input { 4i64 500i64 6i64 } auto output
-- compiled input { 300i64 20i64 6i64 } auto output
entry batch (b: i64) (n: i64) (m: i64): [b][m]f64 =
  tabulate b (\k -> vjp (\t -> f64.sum (map2 (\i x -> let y = x * t[i] in y * y) (places n m k) (values n))) (table m) 1)

-- Indices that are computed, but fold many points into one.
-- ==
-- entry: folded
-- compiled input { 5i64 3i64 } auto output
-- compiled input { 3000i64 16i64 } auto output
entry folded (n: i64) (m: i64): [m]f64 =
  vjp (\t -> f64.sum (map2 (\i x -> let y = x * t[i % m] in y * y) (iota n) (values n))) (table m) 1
