-- Each element writes to as many places as it likes: i and its mirror image. Element 2 of five is its own.
-- ==
-- entry: mirrored
-- input { [0, 0, 0, 0, 0] [0i64, 2i64] } output { [1, 0, 1, 0, 1] }

entry mirrored [k] [n] (dest: *[k]i32) (is: [n]i64) : *[k]i32 =
  intrinsics.scatter_stream (copy dest) (\(acc: *intrinsics.acc ([k]i32)) i -> intrinsics.acc_write (intrinsics.acc_write acc i 1) (k - 1 - i) 1) is

-- Writes to one place are added up: 1 + 2 to the place 0, and 3 to places 0 and 1 at once.
-- ==
-- entry: added
-- input { [10, 20, 30] [1, 2, 3] } output { [16, 23, 30] }

entry added [n] (dest: *[3]i32) (xs: [n]i32) : *[3]i32 =
  intrinsics.hist_stream (copy dest)
                         (+)
                         0
                         (\(acc: *intrinsics.acc ([3]i32)) x -> let acc = intrinsics.acc_write acc 0 x in if x == 3 then intrinsics.acc_write acc 1 x else acc)
                         xs

-- Inside of a map, with an operator on rows.
-- ==
-- entry: rows_inside
-- input { 2i64 [1i32, 5i32] }
-- output { [[[5i32, 5i32], [3i32, 3i32]], [[9i32, 9i32], [7i32, 7i32]]] }
entry rows_inside [k] (n: i64) (xs: [k]i32) : [k][n][n]i32 =
  map (\x ->
         intrinsics.hist_stream (replicate n (replicate n x))
                                (map2 (+))
                                (replicate n 0)
                                (\(acc: *intrinsics.acc ([n][n]i32)) (e: i64) -> intrinsics.acc_write acc (e % n) (replicate n (i32.i64 (e + 1))))
                                (iota 3))
      xs

-- Writes of the neutral element change nothing, and go.
-- ==
-- entry: neutral
-- input { [10, 20, 30] [1i64, 2i64] } output { [10, 20, 30] [10, 40, 60] }

entry neutral [n] (dest: *[3]i32) (is: [n]i64) : (*[3]i32, *[3]i32) =
  let times (k: i32) = intrinsics.hist_stream (copy dest) (*) 1 (\(acc: *intrinsics.acc ([3]i32)) i -> intrinsics.acc_write acc i k) is
  in (times 1, times 2)
