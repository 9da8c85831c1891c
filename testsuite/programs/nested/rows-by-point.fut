-- Inside of a workgroup, rows are as long as the number of its point says.
-- ==
-- input { 4i64 }
-- output { [0i64, 3i64, 7i64, 12i64] }
-- input { 0i64 }
-- output { empty([0]i64) }

entry main (n: i64) =
  map (\i ->
         i64.maximum (map (\j ->
                             i64.sum (map (\k -> let ys = scan (+) 0 [j, k] in ys[j % 2]) (iota i)))
                          (iota n)))
      (iota n)
