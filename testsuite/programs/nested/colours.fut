-- One function of several planes, which has loops: its maps are one map, and its loops one loop, with what does not depend on the plane
-- computed once. Functions that may fail by what a plane has stay apart, so that the failure of the plane before is the first.
-- ==
-- entry: picture
-- input { 3 [[[1, 2, 3], [4, 5, 6], [7, 8, 9]], [[0, -1, 5], [3, 3, 3], [2, -4, 6]]] }
-- output {
--   [[-96, -192, 288], [96, 192, -288]]
--   [[-168, -504, 672], [168, 504, -672]]
--   [[-360, 120, 240], [360, -120, -240]]
-- }
-- input { 0 [[[1, 2, 3]]] }
-- output { [[1]] [[2]] [[3]] }
-- input { 2 empty([0][4][3]i32) }
-- output { empty([0][4]i32) empty([0][4]i32) empty([0][4]i32) }

def row [m] (rounds: i32) (xs: [m]i32) : [m]i32 =
  loop r = xs
  for i < rounds do
    let weight = i * i + 1
    in map (\j -> r[j] * weight - r[(j + 1 + i64.i32 i) % m]) (iota m)

def plane [n] [m] (rounds: i32) (xss: [n][m]i32) : [n][m]i32 =
  map (row rounds) xss |> transpose |> map (row rounds) |> transpose

entry picture [n] [m] (rounds: i32) (xss: [n][m][3]i32) : ([n][m]i32, [n][m]i32, [n][m]i32) =
  let colour c = plane rounds (map (map (\p -> p[c])) xss)
  in (colour 0, colour 1, colour 2)

-- Planes of long rows, which do not fit the memory of a workgroup all together.
-- ==
-- entry: wide
-- input { 3 2i64 2000i64 } output { [1352007680, 1538035712, -1323003904] }
-- input { 2 5i64 6000i64 } output { [-1280395264, 200598528, -762442752] }
entry wide (rounds: i32) (n: i64) (m: i64) : [3]i32 =
  let element c = tabulate_2d n m (\a b -> i32.i64 ((a * 7 + b * (3 + c)) % 101 - 50))
  let (us, vs, ws) = (plane rounds (element 0), plane rounds (element 1), plane rounds (element 2))
  let hash xss = loop h = 0 for x in flatten xss do h * 31 + x
  in [hash us, hash vs, hash ws]

-- Each element says which one to mark.
def marked [m] (xs: [m]i32) : [m]i32 =
  loop r = copy xs
  for i < m do
    let at = i64.i32 xs[i]
    in r with [at] = -1

-- Marks of two planes.
-- ==
-- entry: marks
-- input { [[1, 2, 0]] [[2, 0, 1]] }
-- output { [[-1, -1, -1]] [[-1, -1, -1]] }
-- input { [[1, 7, 0]] [[9, 0, 1]] }
-- error: Index \[7\]
-- input { [[1, 2, 0]] [[9, 0, 1]] }
-- error: Index \[9\]
entry marks [n] [m] (xss: [n][m]i32) (yss: [n][m]i32) : ([n][m]i32, [n][m]i32) =
  (map marked xss, map marked yss)
