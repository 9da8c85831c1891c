-- Derivatives of what all points read in loops and branches: their updates come after the points (Note [Updates in loops and branches] in
-- middle/flatten).

def values (n: i64): [n]f64 = tabulate n (\i -> f64.i64 (i * 7 % 11) / 8 - 0.5)

def horner [k] (c: [k]f64) (x: f64): f64 = loop y = 0 for j < k do y * x + c[j]

-- A loop whose counter says what it reads; no element, no point.
-- ==
-- entry: polynomial
-- compiled input { 3i64 4i64 } auto output
-- compiled input { 300i64 5i64 } auto output
-- compiled input { 0i64 3i64 } auto output
-- compiled input { 3i64 0i64 } auto output
entry polynomial (n: i64) (k: i64): [k]f64 =
  vjp (\c -> f64.sum (map (horner c) (values n))) (map f64.i64 (iota k)) 1

-- A few elements, whose maps run in threads; an operator that multiplies.
-- ==
-- entry: few
-- compiled input { 5i64 } auto output
-- compiled input { 300i64 } auto output
entry few (n: i64): ([4]f64, [3]f64) =
  let cost (c: [4]f64, d: [3]f64) = f64.sum (map (\x -> horner c x + f64.sum (map (\a -> a * x * a) d)) (values n))
  in vjp cost (map f64.i64 (iota 4), [1, 2, 0.5]) 1

-- Counters of 32 bits, and loops that go round never, as their bound is negative.
-- ==
-- entry: narrow
-- compiled input { 7i64 4i32 } auto output
-- compiled input { 7i64 -2i32 } auto output
entry narrow (n: i64) (k: i32): [5]f64 =
  vjp (\(c: [5]f64) -> f64.sum (map (\x -> loop y = x for j < k do y * c[4 - j] * 0.5) (values n))) (replicate 5 1.5) 1

-- Loops that read one element in each iteration, as often as all points do, and as often as a point says.
-- ==
-- entry: again
-- compiled input { 6i64 4i64 } auto output
-- compiled input { 270i64 3i64 } auto output
entry again (n: i64) (k: i64): ([2]f64, f64) =
  let cost (c: [2]f64, d: f64) =
    f64.sum (map (\x -> let y = loop y = x for _j < k do y * c[1] + x
                        in loop y = y for _j < i64.f64 (x * 8) do y + d * x) (values n))
  in vjp cost ([3, 0.5], 0.5) 1

-- Branches of points: with other elements in each, and elements in one alone, in a loop, around a map.
-- ==
-- entry: branches
-- compiled input { 6i64 4i64 } auto output
-- compiled input { 270i64 3i64 } auto output
entry branches (n: i64) (k: i64): ([k]f64, [k]f64, f64) =
  let cost (c: [k]f64, d: [k]f64, e: f64) =
    f64.sum (map (\x -> let y = loop y = 0 for j < k do if y < x then y + c[j] * x else y * e + d[k - 1 - j]
                        in if x > 0 then y + f64.sum (map (\a -> a * x * a) c) else y * d[0]) (values n))
  in vjp cost (map f64.i64 (iota k), replicate k 0.5, 0.25) 1

-- Loops in loops, the inner one reading a row, the outer one a diagonal; results that stay.
-- ==
-- entry: nested
-- compiled input { 5i64 2i64 3i64 } auto output
-- compiled input { 260i64 3i64 2i64 } auto output
entry nested (n: i64) (m: i64) (k: i64): ([n]f64, [m][k]f64, [m]f64) =
  let cost (xs: [n]f64, c: [m][k]f64, d: [m]f64) =
    f64.sum (map (\x -> loop y = 1 for i < m do (loop y = y * d[i] for j < k do y * x * 0.5 + c[i, j])) xs)
  in vjp cost (values n, tabulate_2d m k (\i j -> f64.i64 (i - j) / 2), replicate m 0.5) 1

-- Rows of points with coefficients of their own, which meet along the rows alone.
-- ==
-- entry: rows
-- compiled input { 3i64 5i64 4i64 } auto output
-- compiled input { 7i64 70i64 3i64 } auto output
entry rows (m: i64) (n: i64) (k: i64): [m][k]f64 =
  let css = tabulate_2d m k (\i j -> f64.i64 (i + j) / 4)
  in vjp (\css -> f64.sum (map (\c -> f64.sum (map (horner c) (values n))) css)) css 1

-- Places that points have read or computed: these updates stay where they are.
-- ==
-- entry: read
-- compiled input { 6i64 4i64 } auto output
-- compiled input { 270i64 3i64 } auto output
entry read (n: i64) (k: i64): [k]f64 =
  let at = map (\i -> i * 5 % k) (iota n)
  in vjp (\c -> f64.sum (map2 (\x i -> (loop y = x for j < k do y * 0.5 + c[(i + j) % k]) * c[i]) (values n) at)) (map f64.i64 (iota k)) 1
