-- Scans of arrays in memory: in one pass where workgroups may wait for each other (Note [Scans in one pass] in package lower).

entry numbers (n: i64) : []i32 = map (\i -> i32.i64 (i * 7919 % 10007)) (iota n)

-- ==
-- entry: sums maxs pairs mul kept
-- script input { numbers 10i64 } output { true }
-- script input { numbers 1000i64 } output { true }
-- script input { numbers 8192i64 } output { true }
-- script input { numbers 8193i64 } output { true }
-- script input { numbers 100000i64 } output { true }
-- script input { numbers 0i64 } output { true }
entry sums [n] (as: [n]i32) : bool =
  let xs = scan (+) 0 as
  in and (map (\i -> if i == 0 then xs[0] == as[0] else xs[i] == xs[i-1] + as[i]) (iota n))
entry maxs [n] (as: [n]i32) : bool =
  let xs = scan f32.max f32.lowest (map f32.i32 as)
  in and (map (\i -> if i == 0 then xs[0] == f32.i32 as[0] else xs[i] == f32.max xs[i-1] (f32.i32 as[i])) (iota n))
-- linear functions, whose composition does not commute
entry pairs [n] (as: [n]i32) : bool =
  let f x = (u32.i32 x * 2 + 1, u32.i32 x % 17)
  let op (a, b) (c, d) = (a * c, b * c + d)
  let xs = scan op (1, 0) (map f as)
  in and (map (\i -> if i == 0 then xs[0] == f as[0] else xs[i] == op xs[i-1] (f as[i])) (iota n))
entry mul [n] (as: [n]i32) : bool =
  let f x = u32.i32 x % 100 + 1
  let xs = scan (\a b -> (a * b) % 65521) 1 (map f as)
  in and (map (\i -> if i == 0 then xs[0] == f as[0] else xs[i] == (xs[i-1] * f as[i]) % 65521) (iota n))
-- A filter keeps beside the count what it writes.
entry kept [n] (as: [n]i32) : bool =
  let p x = x % 3 == 0
  let xs = filter p as
  let counts = scan (+) 0 (map (\x -> i64.bool (p x)) as)
  in and (map2 (\x k -> !p x || xs[k - 1] == x) as counts)
