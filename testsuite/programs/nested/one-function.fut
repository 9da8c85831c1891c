-- One function of three arrays, with loops of several kinds. What becomes one map, and what of its loops one loop, has the results that
-- three maps have.

def three 'a 'b [n] (f: a -> b) (xs: [n]a) (ys: [n]a) (zs: [n]a) : ([n]b, [n]b, [n]b) = (map f xs, map f ys, map f zs)

-- Reductions and scans in loops.
def summed [m] (r: [m]i32) : i32 = loop s = 0 for i < 5 do s * 3 + i32.sum (map (\x -> x ^ i) r)
def scanned [m] (r: [m]i32) : [m]i32 = loop q = r for i < 3 do scan (+) 0 (map (+ i) q)

-- Updates in place, the array read as well.
def updated [m] (r: [m]i32) : [m]i32 = loop q = copy r for i < m do q with [(i * 7) % m] = q[i] + i32.i64 i

-- Histogram.
def counted [m] (r: [m]i32) : [4]i32 =
  loop h = replicate 4 0
  for i < 3 do
    map2 (+) h (reduce_by_index (replicate 4 0) (+) 0 (map (\x -> i64.i32 ((x + i) %% 4)) r) r)

-- Scatter. Strides are prime to the sizes of rows, so that each element is written once.
def scattered [m] (r: [m]i32) : [m]i32 =
  (loop (a: *[m]i32, b: *[m]i32) = (copy r, copy r)
   for i < 4 do
     (scatter b (map (\j -> (j * 2 + i) % m) (iota m)) (map (\j -> a[j] - a[(j + i) % m]) (iota m)), a)).0

-- While loop, then a loop.
def doubled [m] (r: [m]i32) : i32 =
  let (k, _) = loop (k, s) = (0, 1) while s < 1000 && k < 20 do (k + 1, s * 2 + (if m > 0 then i32.abs r[0] % 3 else 1))
  in loop t = k for i < 4 do t + (if m > 0 then r[i % m] else 0)

-- Branches by data and by what is shared.
def branched [m] (c: bool) (r: [m]i32) : [m]i32 =
  let w = map (* 3) (map i32.i64 (iota m))
  in loop q = r
     for i < 3 do
       if c then map2 (+) q w else if m > 0 && q[0] > 10 then map (+ 1) q else map2 (-) q (rotate 1 w)

-- An array that all could share, but that is written.
def weighed [m] (r: [m]i32) : [m]i32 =
  let w = map i32.i64 (iota m)
  in loop (q: *[m]i32) = copy w for i < m do q with [i] = q[i] * 2 + r[i]

def products [m] (r: [m]i32) : i32 =
  let w = loop (w: *[8]i32) = replicate 8 1 for i < 8 do w with [i] = i32.i64 i * w[i]
  in loop s = 0 for i < 8 do s + w[i] * (if m > 0 then r[i % m] else 7)

-- Loops in loops of different bounds.
def nested [m] (r: [m]i32) : i32 =
  loop s = 1 for i < 4 do loop t = s for j < i + i64.i32 (i32.abs (s % 3)) do t + (if m > 0 then r[j % m] else 1)

-- Failing by data.
def marked [m] (r: [m]i32) : [m]i32 = loop q = copy r for i < m do q with [i64.i32 r[i]] = 1

-- Asserts shared and not.
def shifted [m] (k: i64) (r: [m]i32) : [m]i32 = loop q = r for i < k do map (\j -> q[(j + 1) % m] + r[i]) (iota m)

-- No loop round the loop of all points; points are scalars.
def squared (x: i32) : i32 = loop y = x for i < 10 do y * y - i + x

-- ==
-- entry: reductions
-- input { [[10, -1, 14, 2, 16], [13, 17, 14, 11, 20]] [[7, -9, 17, 5, 15], [-2, 11, -8, 19, -4]] [[-6, 2, 6, 18, -2], [3, 8, -6, 9, -2]] }
-- auto output
-- input { [[-9, 14, -3, 4, -1, -4, 20, 18, 15]] [[3, -4, 15, 16, -7, -5, 10, 10, 5]] [[-5, -5, -9, 18, -9, -3, 15, -3, -4]] }
-- auto output
entry reductions [n] [m] (xs: [n][m]i32) ys zs = three summed xs ys zs

-- ==
-- entry: scans
-- input { [[18, -4, 0, 1, -3], [8, 19, 12, 11, -3]] [[-4, 13, -3, 19, 3], [0, -9, 2, 4, -4]] [[20, -5, -1, -7, 1], [0, 17, 10, 9, -9]] }
-- auto output
-- input { [[10, 12, 13, 1, -7, 0, 2, 17, 0]] [[6, 13, 1, -4, 6, 6, 13, -4, -8]] [[-1, -9, 14, 2, 18, 3, -9, 8, 16]] }
-- auto output
entry scans [n] [m] (xs: [n][m]i32) ys zs = three scanned xs ys zs

-- ==
-- entry: in_place
-- input { [[4, 2, 3, 9, 17], [-9, 5, -8, 13, -4]] [[10, -3, -6, 15, -2], [20, 17, 5, 2, 7]] [[2, 19, 7, -1, 15], [5, -6, 9, 14, 15]] }
-- auto output
-- input { [[16, 2, 18, 0, -8, 4, -7, -3, 1]] [[7, 10, 2, 20, -5, 1, -1, 20, 13]] [[8, -7, 0, 12, 1, 0, -4, 16, -7]] }
-- auto output
entry in_place [n] [m] (xs: [n][m]i32) ys zs = three updated xs ys zs

-- ==
-- entry: histograms
-- input { [[11, -5, 14, 13, 0], [6, -4, 14, -8, -7]] [[10, 8, 20, 3, -8], [-2, 14, 10, 2, 17]] [[-1, 5, 11, 4, -5], [-8, 20, 11, -8, 16]] }
-- auto output
-- input { [[6, 1, 17, -3, -5, 14, 9, -5, 11]] [[19, 16, 4, -6, -4, 4, 2, -5, -8]] [[18, 4, 0, -5, 5, 20, 10, 18, -4]] }
-- auto output
entry histograms [n] [m] (xs: [n][m]i32) ys zs = three counted xs ys zs

-- ==
-- entry: scatters
-- input { [[7, 5, 6, 13, 14], [1, 6, -1, 0, 6]] [[3, 19, -5, -6, 3], [17, 8, -4, 11, 20]] [[6, 18, 1, -4, -7], [6, -1, 7, 16, 8]] }
-- auto output
-- input { [[18, 7, 2, -7, 16, 16, 15, 2, 13]] [[9, 12, -8, 15, 0, 2, 8, 13, 12]] [[-1, 17, 6, -1, 15, 13, 13, 0, 1]] }
-- auto output
entry scatters [n] [m] (xs: [n][m]i32) ys zs = three scattered xs ys zs

-- ==
-- entry: whiles
-- input { [[11, -4, 9, 18, -9], [6, 8, 15, -1, 1]] [[12, -1, 5, 0, 17], [7, 11, 12, 16, 2]] [[2, -1, 11, 2, 14], [17, 4, 2, 20, 17]] }
-- auto output
-- input { [[-4, 18, 18, 13, 5, 2, 1, 7, -5]] [[7, -4, -3, 17, 2, 20, 18, 6, 0]] [[13, -7, 14, 12, 14, 4, -4, 10, 15]] }
-- auto output
entry whiles [n] [m] (xs: [n][m]i32) ys zs = three doubled xs ys zs

-- ==
-- entry: branches
-- input { true [[20, 9, 7, 12, 20], [4, 0, 10, 8, 15]] [[18, 11, -1, 14, -9], [-3, -4, 9, 5, 10]] [[11, -4, -2, 15, 12], [-4, 11, 13, -8, 6]] }
-- auto output
-- input { false [[20, 9, 7, 12, 20], [4, 0, 10, 8, 15]] [[18, 11, -1, 14, -9], [-3, -4, 9, 5, 10]] [[11, -4, -2, 15, 12], [-4, 11, 13, -8, 6]] }
-- auto output
-- input { true [[-2, -4, -8, 19, -5, -6, 1, -4, 6]] [[-3, 8, -8, 4, 5, 2, 3, 12, 10]] [[-7, 9, -3, -2, 13, 19, 2, -9, 2]] }
-- auto output
-- input { false [[-2, -4, -8, 19, -5, -6, 1, -4, 6]] [[-3, 8, -8, 4, 5, 2, 3, 12, 10]] [[-7, 9, -3, -2, 13, 19, 2, -9, 2]] }
-- auto output
entry branches [n] [m] (c: bool) (xs: [n][m]i32) ys zs = three (branched c) xs ys zs

-- ==
-- entry: own_arrays
-- input { [[3, -1, 18, 4, 18], [-6, 13, 17, 8, 2]] [[-8, 8, 10, 0, -6], [0, 8, 7, 1, 9]] [[0, 2, 17, -5, 4], [4, 17, 9, 11, 8]] }
-- auto output
-- input { [[2, 5, -5, -4, 10, 3, 9, 6, -3]] [[-5, 10, -7, 2, 17, 19, 12, -9, 3]] [[-6, 1, 9, 20, 10, 8, -5, 1, 11]] }
-- auto output
entry own_arrays [n] [m] (xs: [n][m]i32) ys zs = three weighed xs ys zs

-- ==
-- entry: one_array
-- input { [[19, 19, 9, 3, 4], [4, -2, 6, 0, 6]] [[13, 3, 3, 18, 20], [-4, 10, 10, -1, 14]] [[0, 6, -1, 4, -9], [1, 0, 6, 20, 0]] }
-- auto output
-- input { [[-5, 6, -9, -6, 12, 10, 5, -2, 0]] [[-8, 16, -5, 17, 3, -9, 6, 8, 8]] [[-1, -2, 20, 6, 16, -8, -2, 6, -1]] }
-- auto output
entry one_array [n] [m] (xs: [n][m]i32) ys zs = three products xs ys zs

-- ==
-- entry: inner_loops
-- input { [[18, -5, 14, 0, 0], [6, 10, 6, 7, 11]] [[18, 10, 19, 14, 19], [-6, -9, 15, -5, 0]] [[0, 8, 13, 1, 10], [0, 14, 7, -9, 5]] }
-- auto output
-- input { [[2, 2, 12, 14, 17, 9, -5, -8, -9]] [[-1, 8, 5, 12, 20, -6, 19, 12, 8]] [[-3, -9, 4, 15, 16, 4, 10, 9, 13]] }
-- auto output
entry inner_loops [n] [m] (xs: [n][m]i32) ys zs = three nested xs ys zs

-- ==
-- entry: by_data
-- input { [[13, 11, 11, 6, 18], [20, 17, 3, 6, 3]] [[12, 18, 14, -3, 19], [0, 5, 17, 15, -7]] [[0, 17, -9, 13, 15], [4, 9, 0, 11, 15]] }
-- auto output
-- input { [[6, 20, 0, -5, -4, 6, 13, 8, 19]] [[6, 1, 8, -5, 4, 9, 8, 16, -8]] [[-7, 14, -2, -1, 17, -7, 16, -7, 12]] }
-- auto output
entry by_data [n] [m] (xs: [n][m]i32) ys zs = three marked (map (map (% 4)) xs) (map (map (% 4)) ys) (map (map (\x -> i32.abs x % 2)) zs)

-- ==
-- entry: checks
-- input { 3 [[-9, 1, 14, 4, -7], [3, 13, 6, -8, -6]] [[17, -6, -2, 10, 11], [17, -6, 13, 19, -5]] [[0, 13, 20, 5, -5], [-4, 10, -4, 4, 16]] }
-- auto output
-- input { 3 [[-4, -7, 10, -3, -8, 8, -6, 12, 3]] [[14, -7, -1, -8, 9, 9, -6, 14, 3]] [[19, 10, -5, -9, 4, -7, 1, 12, 10]] }
-- auto output
entry checks [n] [m] (k: i32) (xs: [n][m]i32) ys zs = three (shifted (i64.i32 (k % 4))) xs ys zs

-- ==
-- entry: scalars
-- input { [6, 6, 2, 11, 2, 20, -8, -5, 13, 0] [-5, 9, 11, 12, 7, 0, 20, 8, 8, 10] [-2, -1, -7, 8, -2, -1, 17, 15, 0, 7] }
-- auto output
-- input { [-5, 16, -2, 18, 2, 5, 14, 3, -4] [-5, 13, -9, 11, 1, -7, 9, 12, -8] [-7, 18, -6, 7, 10, 5, -2, 3, 19] }
-- auto output
entry scalars [n] (xs: [n]i32) ys zs = three squared xs ys zs

-- ==
-- entry: mixed
-- input { [[5, 6, 1, -6, 16], [7, -9, 8, 14, 3]] [[-8, 18, -5, 4, 12], [16, -2, 14, -6, -7]] }
-- auto output
-- input { [[20, 12, 6, 17, -3, -5, 13, 10, 3]] [[2, 17, -2, 0, 1, 20, 10, 13, 2]] }
-- auto output
entry mixed [n] [m] (xs: [n][m]i32) (ys: [n][m]i32) =
  let (a, b) = (map updated xs, map scattered ys)
  let (c, d) = (map updated ys, map scattered xs)
  let (e, f) = (map scanned (map2 (map2 (+)) a b), map scanned (map2 (map2 (-)) c d))
  in (map scattered e, map scattered f, map scattered (map (map (+ 1)) e))
