-- Maps over few blocks whose points do much work each: substitution row by row, as in a blocked LU decomposition.
-- ==
-- entry: solved
-- input { 2i64 } output { true }
-- input { 0i64 } output { true }

def size: i64 = 32

def lower: [size][size]f64 = tabulate_2d size size (\i k -> if k < i then f64.i64 ((i * 3 + k) % 5 - 2) / 8 else f64.bool (i == k))

def solve [b] (ls: [b][b]f64) (row: [b]f64) : [b]f64 =
  loop row = copy row for i < b do
    let sum = loop sum = 0 for k < i do sum + ls[i, k] * row[k]
    let row[i] = row[i] - sum
    in row

def apply (row: [size]f64) : [size]f64 = map (\ls -> f64.sum (map2 (*) ls row)) lower

-- Each row, and each column of a block, is solved for by itself; the columns are given transposed.
entry solved (m: i64) : bool =
  let blocks = tabulate_3d m size size (\b i j -> f64.i64 ((b * 31 + i * 7 + j * 11) % 17))
  let rows = map (map (solve lower)) blocks
  let columns = map (\block -> transpose (map (solve lower) (transpose block))) blocks
  let close (x: f64) (y: f64) = f64.abs (x - y) < 1e-6
  let same xss yss = and (map2 (\xs ys -> and (map2 close xs ys)) (flatten xss) (flatten yss))
  in same (map (map apply) rows) blocks
     && same (map (\block -> transpose (map apply (transpose block))) columns) blocks

-- What is the same at all points of a map, and checked, is computed once, if there are points: the sizes of inner maps, below a branch.
-- ==
-- entry: halves
-- input { 3i64 2i64 [1i64, 2i64, 3i64, 4i64] } output { [[1i64, 2i64], [2i64, 4i64], [3i64, 6i64]] }
-- input { 3i64 9i64 [1i64, 2i64, 3i64, 4i64] } output { [[0i64, 0i64], [0i64, 0i64], [0i64, 0i64]] }
-- input { 0i64 0i64 [1i64, 2i64, 3i64, 4i64] } output { empty([0][2]i64) }
-- input { 1i64 0i64 [1i64, 2i64, 3i64, 4i64] } error: [Dd]ivision by zero
-- input { 1i64 3i64 [1i64, 2i64, 3i64, 4i64] } error: out of bounds

entry halves [n] (m: i64) (parts: i64) (xs: [n]i64) : [m][2]i64 =
  map (\k -> if parts > 8
             then replicate 2 0
             else let part = n / parts
                  let ys = map (\i -> xs[i] * (k + 1)) (iota part)
                  in scan (+) 0 ys |> map2 (-) (scan (+) 0 ys) |> map2 (+) ys |> take 2)
      (iota m)

-- Windows whose bounds are sums: their size follows by cancelling, and arrays of that size are views.
-- ==
-- entry: windows
-- input { 3i64 } output { [[11i64, 12i64, 13i64], [38i64, 39i64, 40i64]] }
entry windows (b: i64) : [][]i64 =
  let xss = unflatten (iota ((b * 2 + 2) * (b * 2 + 2)))
  in map (\k -> let window = xss[k * b + 1:k * b + 1 + b, k * b + 1:k * b + 1 + b] :> [b][b]i64
                let inner = scan (+) 0 (map (\i -> window[i, 0]) (iota b))
                in map2 (\i s -> window[0, i] + s - s + (k - k) + 2) (iota b) inner)
         (iota 2)
