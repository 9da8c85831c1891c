-- Reverse and forward mode agree: with the derivative J of f at x, dy (J dx) = (J' dy) dx for all dx and dy. Forward mode is tested by
-- results that were found by hand.

def dot [n] (xs: [n]f32) (ys: [n]f32) : f32 = f32.sum (map2 (*) xs ys)

-- The identity for some directions. The product must not be zero, or nothing would be tested.
def agree [n] [m] (f: [n]f32 -> [m]f32) (x: [n]f32) : bool =
  let dx = tabulate n (\i -> 1 + f32.i64 (i * 5 % 7) / 4)
  let dy = tabulate m (\i -> 2 - f32.i64 (i * 3 % 5) / 3)
  let forward = dot dy (jvp f x dx)
  let reverse = dot dx (vjp f x dy)
  in f32.abs (forward - reverse) <= 1e-4 * f32.abs forward && forward != 0

-- Elements of a free array at places that depend on the point: an accumulator in the return sweep, also in an inner map.
-- ==
-- entry: gathered
-- input { [0.5f32, 1.5f32, 0.25f32, 2f32, 1.25f32] } output { true }
entry gathered [n] (xs: [n]f32) =
  agree (\ys -> tabulate n (\i -> ys[i] * ys[(i * 3 + 1) % n] + f32.sum (tabulate 3 (\j -> f32.sin ys[(i + j) % n])))) xs

-- Scalars that a map uses, and arrays that it uses as a whole.
-- ==
-- entry: free
-- input { [0.5f32, 1.5f32, 0.25f32, 2f32, 1.25f32] } output { true }
entry free [n] (xs: [n]f32) =
  agree (\ys -> let s = ys[0] * ys[1] in map (\y -> y * s + dot (map (* y) ys) ys) ys) xs

-- Branches inside of maps, on both sides of which something is read.
-- ==
-- entry: branches
-- input { [0.5f32, 1.5f32, 0.25f32, 2f32, 1.25f32] } output { true }
entry branches [n] (xs: [n]f32) =
  agree (\ys -> map (\y -> if y > 1 then y * ys[0] else f32.exp y - ys[1] * ys[1]) ys) xs

-- Loops that update an array in place, in a map and outside of one, and a loop that ends by a condition.
-- ==
-- entry: loops
-- input { [0.5f32, 1.5f32, 0.25f32, 2f32, 1.25f32] } output { true }
entry loops [n] (xs: [n]f32) =
  agree (\ys ->
           let zs = loop zs = copy ys for i < n - 1 do zs with [i + 1] = zs[i] * zs[i + 1] + ys[i]
           let w = loop w = ys[0] while w < 20 do w * (1 + ys[1]) + 1
           in map2 (\y z -> (loop a = y for j < 3 do a * z + ys[j]) + w) ys zs) xs

-- Reductions: by a product, by a minimum, by an operator on pairs (composition of linear functions), by one on pairs with an index, and
-- by one that uses a variable that the derivative is by.
-- ==
-- entry: reductions
-- input { [0.5f32, 1.5f32, 0.25f32, 2f32, 1.25f32] } output { true }
entry reductions [n] (xs: [n]f32) =
  agree (\ys ->
           let (a, b) = reduce (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip ys (map (+ 1) ys))
           let (m, i) = reduce (\(a, i) (b, j) -> if a > b then (a, i) else (b, j)) (-1000, -1) (zip ys (iota n))
           let mean = reduce (\p q -> p + q + 0 * ys[2]) 0 (map (/ f32.i64 n) ys)
           in [f32.product ys, f32.minimum (map (\y -> y * y - y) ys), a, b, m * f32.i64 i, mean]) xs

-- Scans: by a sum, by a product, by linear functions, and of rows by an operator that is on whole rows.
-- ==
-- entry: scans
-- input { [0.5f32, 1.5f32, 0.25f32, 2f32, 1.25f32, 0.75f32] } output { true }
entry scans (xs: [6]f32) =
  agree (\ys ->
           let (as, bs) = unzip (scan (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip ys (map f32.cos ys)))
           let rows = scan (map2 (\a b -> a * b + a + b)) [0, 0] (unflatten (ys :> [3 * 2]f32))
           in scan (+) 0 ys ++ scan (*) 1 ys ++ as ++ bs ++ flatten rows) xs

-- Histograms: of sums, minima and products (one bin has a zero, one two of them), of rows, and by another operator; some values belong
-- to no bin. No bin has two elements that are both its minimum: which of them it is hangs on the order.
-- ==
-- entry: histograms
-- input { [0.5f32, 1.5f32, 0f32, 2f32, 1.25f32, 0f32, 0f32, 3f32] } output { true }
entry histograms (xs: [8]f32) =
  agree (\ys ->
           let is = [0, 1, 0, 2, 0, 2, 2, 9i64]
           let init = map (\i -> ys[i] + 1) (iota 3)
           in reduce_by_index (copy init) (+) 0 is ys
              ++ reduce_by_index (copy init) f32.min f32.inf is (map2 (\i y -> 3 * y + f32.i64 i / 8) (iota 8) ys)
              ++ reduce_by_index (copy init) (*) 1 is ys
              ++ hist (\a b -> a + b + a * b) 0 3 is ys
              ++ flatten (hist (map2 (+)) [0, 0] 3 is (map (\y -> [y, y * y]) ys))) xs

-- Writes to places that the index decides, over an array that depends as well; one place is written twice, and one write is outside.
-- ==
-- entry: writes
-- input { [0.5f32, 1.5f32, 0.25f32, 2f32] } output { true }
entry writes (xs: [4]f32) =
  agree (\ys ->
           let zs = scatter (map (* 2) ys) [3, 0, 0, 7] (map (\i -> ys[if i == 2 then 1 else i] ** 3) (iota 4))
           let ws = scatter_2d (replicate 2 (copy ys)) [(0, 1), (1, 2)] [ys[0] * ys[3], ys[2]]
           in zs ++ flatten ws) xs

-- What moves elements.
-- ==
-- entry: moves
-- input { [0.5f32, 1.5f32, 0.25f32, 2f32, 1.25f32, 0.75f32] } output { true }
entry moves (xs: [6]f32) =
  agree (\ys ->
           let m = transpose (unflatten (ys :> [2 * 3]f32))
           let (a, b) = split (flatten m :> [2 + 4]f32)
           let c = replicate 3 (ys[1] * ys[2])
           let d = rotate 1 (reverse ys)
           in a ++ b[::-1] ++ c ++ d ++ [ys[0] ** ys[1]] ++ flatten (replicate 2 ys[1:4])) xs

-- A reverse derivative inside of both.
-- ==
-- entry: twice
-- input { [0.5f32, 1.5f32, 0.25f32] } output { true }
entry twice [n] (xs: [n]f32) =
  agree (\ys -> vjp (\zs -> f32.sum (map (\i -> zs[i] ** 3 * zs[(i + 1) % n]) (iota n))) ys 1) xs

-- The return sweep of a return sweep that has an accumulator, in a map in a map.
-- ==
-- entry: twice_gathered
-- input { [0.5f32, 1.5f32, 0.25f32] } output { true }
entry twice_gathered [n] (xs: [n]f32) =
  let f (ys: [n]f32) : [n][n]f32 = map (\i -> map (\j -> ys[(i + j) % n] ** 3 * ys[j]) (iota n)) (iota n)
  in agree (\ys -> vjp f ys (replicate n (map f32.i64 (iota n)))) xs

-- Reductions and scans of rows by operators on their elements, inside of a map as well.
-- ==
-- entry: rows
-- input { [0.5f32, 1.5f32, 0.25f32, 2f32, 1.25f32, 0.75f32] } output { true }
entry rows (xs: [6]f32) =
  agree (\ys ->
           let m = unflatten (ys :> [3 * 2]f32)
           let (a, b) = unzip (reduce (map2 (\(a, b) (c, d) -> (a * c, b * c + d))) (replicate 2 (1, 0)) (map (map (\y -> (y, y + 1))) m))
           in reduce (map2 f32.max) [-1000, -1000] m ++ a ++ b
              ++ flatten (scan (map2 (*)) (replicate 2 1) m) ++ flatten (scan (map2 (+)) (replicate 2 0) m)
              ++ flatten (map (\y -> reduce (map2 (*)) (replicate 2 1) (map (map (* y)) m)) ys)) xs
