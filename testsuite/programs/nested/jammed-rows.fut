-- Sums for each element of whole rows and of what is left over; on processors some rows are computed together.
-- ==
-- entry: product
-- input { 1i64 3i64 2i64 } output { [[3i64, 8i64]] }
-- input { 4i64 3i64 2i64 } output { [[3i64, 8i64], [6i64, 14i64], [9i64, 20i64], [12i64, 26i64]] }
-- input { 9i64 5i64 7i64 } output { [[10i64, 40i64, 70i64, 100i64, 130i64, 160i64, 190i64], [15i64, 55i64, 95i64, 135i64, 175i64, 215i64, 255i64], [20i64, 70i64, 120i64, 170i64, 220i64, 270i64, 320i64], [25i64, 85i64, 145i64, 205i64, 265i64, 325i64, 385i64], [30i64, 100i64, 170i64, 240i64, 310i64, 380i64, 450i64], [35i64, 115i64, 195i64, 275i64, 355i64, 435i64, 515i64], [40i64, 130i64, 220i64, 310i64, 400i64, 490i64, 580i64], [45i64, 145i64, 245i64, 345i64, 445i64, 545i64, 645i64], [50i64, 160i64, 270i64, 380i64, 490i64, 600i64, 710i64]] }
-- input { 3i64 0i64 2i64 } output { [[0i64, 0i64], [0i64, 0i64], [0i64, 0i64]] }

-- ==
-- entry: checked
-- input { 130i64 20i64 131i64 } output { 3613086u32 }
-- input { 67i64 40i64 129i64 } output { 3818454928u32 }

-- The bound of the loop differs from row to row.
-- ==
-- entry: triangle
-- input { 5i64 3i64 } output { 830u32 }
-- input { 90i64 70i64 } output { 1057795744u32 }

def matrix (n: i64) (m: i64) (k: i64): [n][k]i64 =
  let a = tabulate_2d n m (\i l -> i + l)
  let b = tabulate_2d m k (\l j -> l * j + 1)
  in map (\row -> map (\col -> i64.sum (map2 (*) row col)) (transpose b)) a

entry product (n: i64) (m: i64) (k: i64): [n][k]i64 = matrix n m k

entry checked (n: i64) (m: i64) (k: i64): u32 =
  u32.sum (flatten (tabulate_2d n k (\i j -> u32.i64 (i * 7 + j + 1))
                    |> map2 (map2 (\x w -> u32.i64 x * w)) (matrix n m k)))

entry triangle (n: i64) (k: i64): u32 =
  let sums = tabulate_2d n k (\i j -> loop s = 0u32 for l < i + 1 do s + u32.i64 (l * (j + 1)))
  in u32.sum (flatten (tabulate_2d n k (\i j -> sums[i, j] * u32.i64 (i + 2 * j + 1))))
