-- Recursive functions in code that runs in parallel, where nothing is known of how deep they go.

-- The recursive function is mapped.
-- ==
-- entry: factorials
-- input { [0i64, 1i64, 5i64, 10i64] } output { [1i64, 1i64, 120i64, 3628800i64] }
def factorial (n: i64) : i64 = if n <= 0 then 1 else n * factorial (n - 1)
entry factorials (ns: []i64) = map factorial ns

-- Two calls, in maps inside maps.
-- ==
-- entry: fibonacci
-- input { [[0i32, 1i32, 2i32], [7i32, 8i32, 9i32]] } output { [[0i32, 1i32, 1i32], [13i32, 21i32, 34i32]] }
def fib (n: i32) : i32 = if n < 2 then n else fib (n - 1) + fib (n - 2)
entry fibonacci (nss: [][]i32) = map (map fib) nss

-- An operator that is recursive: the greatest common divisor of all.
-- ==
-- entry: gcds
-- input { [12i64, 18i64, 30i64] } output { 6i64 [12i64, 6i64, 6i64] }
def gcd (a: i64) (b: i64) : i64 = if b == 0 then a else gcd b (a % b)
entry gcds (xs: []i64) = (reduce gcd 0 xs, scan gcd 0 xs)

-- Places and values of updates come from recursive functions.
-- ==
-- entry: scattered
-- input { [0i64, 1i64, 2i64, 3i64] } output { [0i64, 1i64, 2i64, 6i64, 0i64, 0i64, 24i64, 0i64] [1i64, 1i64, 2i64] }
entry scattered [n] (is: [n]i64) =
  (scatter [0, 0, 0, 6, 0, 0, 0, 0] (map (\i -> if i == 3 then 6 else i) is) (map (\i -> if i == 3 then 24 else i) is),
   hist gcd 0 3 (map (% 3) is) (map (\i -> factorial i) is))

-- Updates through an accumulator, at places that a recursive function finds.
-- ==
-- entry: counted
-- input { [1i64, 2i64, 3i64, 2i64] } output { [0i64, 1i64, 2i64, 0i64, 0i64, 0i64, 1i64] }
entry counted (is: []i64) =
  intrinsics.hist_stream (replicate 7 0i64) (+) 0
    (\(acc: *intrinsics.acc ([7]i64)) i -> intrinsics.acc_write acc (factorial i) 1) is

-- The recursive function works on arrays, and makes them longer.
-- ==
-- entry: grown
-- input { [0i64, 1i64, 2i64, 3i64] } output { [1i64, 2i64, 4i64, 8i64] }
def grow [m] (n: i64) (xs: [m]i64) : []i64 = if n == 0 then xs else grow (n - 1) (xs ++ xs)
entry grown (ns: []i64) = map (\n -> i64.sum (grow n [1])) ns
