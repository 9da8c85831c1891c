-- Flat maps whose lengths depend on what their elements are made of.

def evens [m] (row: [m]i32) : ?[k].[k]i32 = filter (\x -> x % 2 == 0) row

-- ==
-- entry: filtered
-- input { [[1, 2, 4], [3, 5, 7], [8, 8, 9]] }
-- output { [3i64, 0i64, 2i64] [2, 4, 8, 8] }
-- input { empty([0][3]i32) }
-- output { empty([0]i64) empty([0]i32) }
-- input { [[1], [1]] }
-- output { [0i64, 0i64] empty([0]i32) }
entry filtered [n] [m] (rows: [n][m]i32) =
  let (lengths, _, _, data) = flatmap' evens rows
  in (map2 (\l r -> if l == 2 && r[0] == 1 then 3 else l) lengths rows, data)

-- A loop's array that is overwritten before the function ends, and a size from before.
def counts [m] (row: [m]i64) : ?[k].([k]i64, i64) =
  let c = loop c = replicate 4 0 for x in row do c with [x % 4] = c[x % 4] + 1
  let k = reduce i64.max 0 c
  let first = c[0]
  let d = c with [0] = 100
  in (map (\i -> d[i % 4] + first) (iota k), d[1])

-- ==
-- entry: overwritten
-- input { [[0i64, 1i64, 5i64, 2i64], [3i64, 3i64, 3i64, 7i64]] }
-- output { [2i64, 4i64] [101i64, 3i64, 100i64, 0i64, 0i64, 4i64] [2i64, 0i64] }
entry overwritten [n] [m] (rows: [n][m]i64) =
  let (lengths, _, _, data, rest) = flatmap counts rows
  in (lengths, data, rest)

-- Rows of the point's own size, which no array over all points has room for.
def doubled (n: i64) : ?[k].[k]i64 =
  let xs = scan (+) 0 (iota n)
  let k = if n == 0 then 0 else xs[n - 1]
  in map (\i -> xs[i % n] * 10) (iota k)

-- ==
-- entry: own_sizes
-- input { [3i64, 0i64, 2i64] }
-- output { [0i64, 10i64, 30i64, 0i64] }
entry own_sizes (ns: []i64) =
  let (_, _, _, data) = flatmap' doubled ns
  in data

-- One inside of another, and in a map, where sizes are known.
def step (i: i64) : ?[k].[k]i64 = map (+ i) (iota i)

def stairs (n: i64) : ?[k].[k]i64 =
  let (_, _, _, data) = flatmap' step (iota n)
  in data

-- ==
-- entry: nested
-- input { [2i64, 0i64, 3i64] }
-- output { [1i64, 1i64, 2i64, 3i64] [2i64, 0i64, 7i64] }
entry nested (ns: []i64) =
  let (_, _, _, data) = flatmap' stairs ns
  in (data, map (\n -> reduce (+) 0 (stairs n) + i64.bool (n > 2)) ns |> map2 (\n x -> if n == 2 then x + 1 else x) ns)

def squares (x: f64) : ?[k].[k]f64 = replicate (i64.f64 x) (x * x)

-- Derivatives of what a flat map makes: each x occurs x times, so the derivative of the sum of squares is 2 x · k.
-- ==
-- entry: gradient
-- input { [2f64, 0f64, 3f64] }
-- output { [8f64, 0f64, 18f64] }
entry gradient [n] (xs: [n]f64) =
  vjp (\(xs: [n]f64) ->
         let (_, _, _, data) = flatmap' squares xs
         in f64.sum data) xs 1

-- A check that nothing depends on stays with what it checks: the size of the first part of a partition.
def halves [m] (row: [m]i32) : ?[k].[k]i32 =
  row[1:] ++ (partition2 (> 2) (> 0) row).0

-- ==
-- entry: unused_checks
-- input { [[1, 2, 3], [4, 0, 5], [0, 0, 0]] }
-- output { [2, 3, 3, 0, 5, 4, 5, 0, 0] [3i64, 4i64, 2i64] }
entry unused_checks [n] [m] (rows: [n][m]i32) =
  let (lengths, _, _, data) = flatmap' halves rows
  in (data, lengths)
