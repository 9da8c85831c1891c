-- Reverse and forward mode agree (see adjoints.fut) where constructs are nested.

def dot [n] (xs: [n]f32) (ys: [n]f32) : f32 = f32.sum (map2 (*) xs ys)

def agree [n] [m] (f: [n]f32 -> [m]f32) (x: [n]f32) : bool =
  let dx = tabulate n (\i -> 1 + f32.i64 (i * 5 % 7) / 4)
  let dy = tabulate m (\i -> 2 - f32.i64 (i * 3 % 5) / 3)
  let forward = dot dy (jvp f x dx)
  let reverse = dot dx (vjp f x dy)
  in f32.abs (forward - reverse) <= 1e-4 * f32.abs forward && forward != 0

-- Folds, histograms and writes inside of maps.
-- ==
-- entry: inside
-- input { [0.5f32, 1.5f32, 0.25f32, 2f32, 1.25f32] } output { true }
entry inside [n] (xs: [n]f32) =
  agree (\ys ->
           map (\i -> reduce (\p q -> p * q + 0 * ys[i]) 1 ys) (iota n)
           ++ map (\y -> f32.sum (scan (\a b -> a * b + a + b) 0 (map (* y) ys))) ys
           ++ flatten (map (\y -> hist (*) 1 2 (map (% 2) (iota n)) (map (+ y) ys)) ys)
           ++ flatten (map (\y -> scatter (map (* y) ys) [1, 0] [y * y, ys[2]]) ys)) xs

-- Sorting: loops in loops that exchange elements.
-- ==
-- entry: sorted
-- input { [0.5f32, 1.5f32, 0.25f32, 2f32, 1.25f32] } output { true }
def sort [n] (xs: [n]f32) : [n]f32 =
  loop ys = copy xs for i < n do
    loop ys for j < n - 1 do
      if ys[j] > ys[j + 1]
      then let t = ys[j]
           in (copy ys with [j] = ys[j + 1]) with [j + 1] = t
      else ys
entry sorted [n] (xs: [n]f32) = agree (\ys -> map2 (*) (sort ys) (map f32.i64 (iota n))) xs

-- Sizes that depend on the values: filters, rows of different sizes, an array that grows in a loop.
-- ==
-- entry: sizes
-- input { [0.5f32, 1.5f32, 0.25f32, 2f32, 1.25f32] } output { true }
entry sizes [n] (xs: [n]f32) =
  agree (\ys ->
           [ f32.sum (map (\x -> x * x) (filter (> 0.6) ys))
           , f32.sum (flatmap' (\y -> map (* y) (filter (> 0.6) ys)) ys).3
           , f32.sum (map (\y -> f32.sum (loop zs = [y] for i < 3 do zs ++ map (* y) zs)) ys)
           ]) xs

-- Loops that pass arrays on: by SOACs, until a condition holds, and in a map.
-- ==
-- entry: passed
-- input { [0.5f32, 1.5f32, 0.25f32, 2f32, 1.25f32] } output { true }
entry passed [n] (xs: [n]f32) =
  agree (\ys ->
           let a = loop zs = ys for i < 3 do scatter (map (* f32.sum zs) zs) (map (\j -> (j + i) % n) (iota n)) (map f32.sin zs)
           let b = (loop (k, zs) = (0i32, ys) while f32.sum zs < 100 do (k + 1, map2 (\p q -> p * 1.5 + q) zs ys)).1
           let step (y: f32) = (loop (acc, zs) = (0, copy ys) for i < 3 do
                                  (acc + zs[i] * y, zs with [i] = zs[(i + 1) % n] * acc)).0
           in a ++ b ++ map step ys) xs

-- Records and sums in arrays.
-- ==
-- entry: structured
-- input { [0.5f32, 1.5f32, 0.25f32, 2f32, 1.25f32] } output { true }
type part = #some f32 | #none
entry structured [n] (xs: [n]f32) =
  agree (\ys ->
           let ps : [n]({x: f32, k: i32}, part) = map (\y -> ({x = y * y, k = 3}, if y > 1 then #some (y * 2) else #none)) ys
           in map (\(r, p) -> match p case #some z -> z * r.x case #none -> f32.i32 r.k * r.x) ps) xs
