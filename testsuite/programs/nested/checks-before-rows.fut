-- Rows of a histogram, each behind a map that returns nothing but checks what is read.
-- ==
-- input { 3i64 [7i64] [0i64, 0i64] } output { [[0i64, 0i64, 0i64], [0i64, 0i64, 0i64], [0i64, 0i64, 0i64], [0i64, 0i64, 0i64]] }
-- input { 3i64 empty([0]i64) [1i64, 5i64, 2i64] } output { [[0i64, 0i64, 0i64], [0i64, 6i64, 12i64], [0i64, 2i64, 4i64], [0i64, 0i64, 0i64]] }
-- input { 3i64 [7i64] [0i64, 1i64] } error: out of bounds
entry main [n] [l] (m: i64) (zs: [l]i64) (is: [n]i64) : [4][m]i64 =
  hist (map2 (+))
       (replicate m 0)
       4
       (map (% 4) is)
       (map (\i ->
               let _checked = map (\j -> zs[j + i]) (iota l)
               in map (\j -> j * i) (iota m))
            is)
