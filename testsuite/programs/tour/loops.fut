-- The three forms of loops, and loops whose values change size.
-- ==
-- entry: fibonacci
-- input { 10 } output { 55i64 }
-- input { 0 } output { 0i64 }

-- ==
-- entry: collatz
-- input { 6i64 } output { 8 }

-- ==
-- entry: horner
-- input { [1, 2, 3] 10 } output { 123 }

-- ==
-- entry: halve
-- input { [1, 2, 3, 4, 5] } output { [1] }

-- ==
-- entry: sieve
-- input { 20i64 } output { [2i64, 3i64, 5i64, 7i64, 11i64, 13i64, 17i64, 19i64] }

entry fibonacci (n: i32) = (loop (a, b) = (0i64, 1i64) for _i < n do (b, a + b)).0

entry collatz (n: i64) =
  (loop (x, steps) = (n, 0i32) while x != 1 do
     (if x % 2 == 0 then x / 2 else 3 * x + 1, steps + 1)).1

entry horner (xs: []i32) (base: i32) = loop acc = 0 for x in xs do acc * base + x

entry halve (xs: []i32) = loop xs while length xs > 1 do xs[:length xs / 2]

entry sieve (n: i64) =
  let prime = replicate n true
  let prime =
    loop prime for i in 2..<n do
      if prime[i] then scatter prime (map (\k -> (k + 2) * i) (iota (n / i))) (replicate (n / i) false) else prime
  in filter (\i -> i >= 2 && prime[i]) (iota n)
