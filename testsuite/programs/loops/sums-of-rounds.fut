-- Loops that pass on sums of what their kernels compute, beside loops and branches of the host with kernels of their own. The host needs
-- no sum before the end, so it waits for none.
-- ==
-- entry: beside_loop beside_branch counted two
-- input { [8i64, 5i64, 3i64] 0i64 }
-- output { 0i64 }
-- input { empty([0]i64) 4i64 }
-- output { 0i64 }

-- ==
-- entry: beside_loop
-- input { [8i64, 5i64, 3i64] 4i64 }
-- output { 33i64 }

-- ==
-- entry: beside_branch
-- input { [8i64, 5i64, 3i64] 4i64 }
-- output { 60i64 }

-- ==
-- entry: counted
-- input { [8i64, 5i64, 3i64] 4i64 }
-- output { 11i64 }

-- ==
-- entry: two
-- input { [8i64, 5i64, 3i64] 4i64 }
-- output { 248i64 }

entry beside_loop [n] (xs: [n]i64) (k: i64) : i64 =
  (loop (ys, total) = (copy xs, 0) for i < k do
     let ys = loop ys for j < i do map (\y -> y / 2 + j) ys
     in (ys, total + i64.sum ys)).1

entry beside_branch [n] (xs: [n]i64) (k: i64) : i64 =
  (loop (ys, total) = (copy xs, 0) for i < k do
     let ys = if i % 2 == 0 then map (+ i) (reverse ys) else scan (+) 0 ys
     in (ys, total + i64.maximum (map (% 20) ys))).1
  |> i64.max 0

entry counted [n] (xs: [n]i64) (k: i64) : i64 =
  (loop (ys, last, i) = (copy xs, 0, 0) while i < k do
     let ys = loop ys for _j < 2 do map (\y -> y - y / 3) ys
     in (ys, last / 2 + i64.sum ys, i + 1)).1

entry two [n] (xs: [n]i64) (k: i64) : i64 =
  let (_, all, most) =
    loop (ys, all, most) = (copy xs, 0, 0) for i < k do
      let ys = if i > 1 then map2 (\y j -> y + j) ys (iota n) else map (* 2) ys
      in (ys, all + i64.sum ys, i64.max most (i64.sum (map (% 7) ys)))
  in all + most
