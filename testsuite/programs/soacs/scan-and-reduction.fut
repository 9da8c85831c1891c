-- A scan and a reduction of one input are one SOAC: a thread that has a row to itself goes over it once, and on the device they are kernels
-- of their own. A reduction reads what the scan's map keeps, where that has loops.
-- ==
-- entry: both
-- input { [3i32, -1i32, 4i32, 1i32] } output { -12i32 [3i32, 2i32, 6i32, 7i32] }
-- input { empty([0]i32) } output { 1i32 empty([0]i32) }

-- ==
-- entry: rows
-- input { [[3i32, -1i32, 4i32], [1i32, 5i32, -9i32]] } output { [4i32, 5i32] [[3i32, 2i32, 6i32], [1i32, 6i32, -3i32]] }
-- input { empty([2][0]i32) } output { [-2147483648i32, -2147483648i32] empty([2][0]i32) }
-- input { empty([0][2]i32) } output { empty([0]i32) empty([0][2]i32) }

-- ==
-- entry: kept
-- input { [2i32, 3i32, 1i32] [1i32, 2i32, 0i32] } output { 31i32 [14i32, 76i32, 78i32] [7i32, 31i32, 1i32] }

-- ==
-- entry: branched
-- input { [3i32, -1i32, 4i32, 1i32] } output { 6i32 [2i32, 6i32, 9i32, 15i32] }

-- ==
-- entry: nested
-- input { [[2i32, 3i32], [1i32, 4i32]] 2i32 } output { [31i32, 40i32] [[22i32, 53i32], [13i32, 53i32]] }

-- ==
-- entry: three
-- input { [1i32, 2i32, 3i32] } output { 6i32 [true, true, true] 6i32 3i32 }

-- ==
-- entry: scanned
-- input { [3i32, 1i32, 2i32] } output { 7i32 [3i32, 4i32, 6i32] [7i32, 9i32, 13i32] }

-- ==
-- entry: large
-- input { 3000i64 7i64 } output { 1i32 }

entry both (xs: []i32) : (i32, []i32) = (i32.product xs, scan (+) 0 xs)

entry rows (xss: [][]i32) : ([]i32, [][]i32) = unzip (map (\xs -> (i32.maximum xs, scan (+) 0 xs)) xss)

def steps (k: i32) (x: i32) : i32 = loop z = x for _i < k do z * 3 + 1

entry kept (xs: []i32) (ks: []i32) : (i32, []i32, []i32) =
  let zs = map2 steps ks xs
  in (i32.maximum zs, scan (+) 0 zs |> map (* 2), zs)

-- Branches of straight code are computed again.
entry branched (xs: []i32) : (i32, []i32) =
  let ys = map (\x -> if x > 2 then x - 1 else x + 5) xs
  in (i32.maximum ys, scan (+) 0 ys)

entry nested (xss: [][]i32) (k: i32) : ([]i32, [][]i32) =
  unzip (map (\xs -> let zs = map (steps k) xs in (i32.maximum zs, scan (+) 0 zs)) xss)

entry three (xs: []i32) : (i32, []bool, i32, i32) = (i32.sum xs, scan (&&) true (map (> 0) xs), i32.product xs, i32.maximum xs)

-- The reduction is of what the scan returns, whose sum is not that of its input.
entry scanned (xs: []i32) : (i32, []i32, []i32) =
  let ys = scan (+) 0 xs
  let zs = map (\y -> y * 2 + 1) ys
  in (i32.minimum zs, ys, zs)

-- All versions agree with code on scalars.
entry large (n: i64) (m: i64) : i32 =
  let xss = tabulate_2d m n (\i j -> i32.i64 ((i * 7 + j * j) % 101))
  let (least, sums) = unzip (map (\xs -> (reduce i32.min i32.highest (map (^ 5) xs), scan (+) 0 xs)) xss)
  let expected = map (\xs -> loop (l, s) = (i32.highest, 0) for x in xs do (i32.min l (x ^ 5), s + x)) xss
  in i32.bool (and (map3 (\l row (el, es) -> l == el && row[n - 1] == es) least sums expected))
