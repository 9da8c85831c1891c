-- ==
-- entry: sums maxs pairs mul
-- input { 10i64 } output { true }
-- input { 1000i64 } output { true }
-- input { 8192i64 } output { true }
-- input { 8193i64 } output { true }
-- input { 100000i64 } output { true }
-- input { 0i64 } output { true }
entry sums (n: i64) : bool =
  let xs = scan (+) 0 (map (\i -> i32.i64 (i * 7 % 13)) (iota n))
  let ys = map (\i -> if i == 0 then xs[0] == 0 else xs[i] == xs[i-1] + i32.i64 (i * 7 % 13)) (iota n)
  in and ys
entry maxs (n: i64) : bool =
  let xs = scan f32.max f32.lowest (map (\i -> f32.i64 (i * 7919 % 1000003)) (iota n))
  let ys = map (\i -> if i == 0 then xs[0] == 0 else xs[i] == f32.max xs[i-1] (f32.i64 (i * 7919 % 1000003))) (iota n)
  in and ys
-- linear functions, whose composition does not commute
entry pairs (n: i64) : bool =
  let f i = (u32.i64 (i * 2 + 1), u32.i64 (i % 17))
  let op (a, b) (c, d) = (a * c, b * c + d)
  let xs = scan op (1, 0) (map f (iota n))
  let ys = map (\i -> if i == 0 then xs[0] == f 0 else xs[i] == op xs[i-1] (f i)) (iota n)
  in and ys
entry mul (n: i64) : bool =
  let xs = scan (\a b -> (a * b) % 65521) 1 (map (\i -> u32.i64 (i % 100 + 1)) (iota n))
  let ys = map (\i -> if i == 0 then xs[0] == 1 else xs[i] == (xs[i-1] * u32.i64 (i % 100 + 1)) % 65521) (iota n)
  in and ys
