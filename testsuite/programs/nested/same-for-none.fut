-- What is the same for all elements of a map is computed once, but not where there are none: it may read the last of them.
-- ==
-- entry: of_filters
-- input { 0i64 2i64 } output { empty([0]i64) }
-- input { 2i64 3i64 } output { [0i64, 0i64] }
def at [k] 'a (i: i64) (ne: a) (xs: [k]a) : a = if k == 0 then ne else xs[i % k]

entry of_filters (n: i64) (m: i64) : [n]i64 =
  map (\_ ->
         reduce (^) 0
                (map (\_ -> at n 0 (scan (^) 0 (map (\_ -> length (filter (const true) (filter (const false) (replicate n 1u32)))) (iota (m % 5)))))
                     (iota (m % 5))))
      (replicate n 0i64)

-- ==
-- entry: of_last
-- input { empty([0]i64) 3i64 } output { empty([0]i64) }
-- input { [1i64, 5i64] 3i64 } output { [19i64, 23i64] }
entry of_last [n] (xs: [n]i64) (m: i64) : [n]i64 =
  map (\x -> x + reduce (+) 0 (map (\k -> xs[n - 1] + k) (iota m))) xs

-- ==
-- entry: in_loop
-- input { empty([0]i64) [0i64, 1i64, 2i64] } output { 0i64 }
-- input { [1i64, 5i64] [0i64, 1i64, 2i64] } output { 36i64 }
entry in_loop [n] [m] (xs: [n]i64) (ys: [m]i64) : i64 =
  loop s = 0 for _i < n do s + reduce (+) 0 (map (\y -> xs[n - 1] + y) ys)
