-- A function may call itself: factorials, and how many steps Collatz' rule takes from 27 to 1: 111.
-- ==
-- entry: factorial
-- input { 0i64 } output { 1i64 }
-- input { 10i64 } output { 3628800i64 }

def product (n: i64) : i64 = if n <= 1 then 1 else n * product (n - 1)

def collatz (n: i64) : i32 = if n == 1 then 0 else if n % 2 == 0 then 1 + collatz (n / 2) else 1 + collatz (3 * n + 1)

entry factorial (n: i64) = product n

-- ==
-- entry: steps
-- input { 27i64 } output { 111 }
-- input { 1i64 } output { 0 }

entry steps (n: i64) = collatz n

-- A function that takes a function passes it on unchanged.
-- ==
-- entry: repeated
-- input { 4 3 } output { 32 }

def times (f: i32 -> i32) (n: i32) (x: i32) : i32 = if n == 0 then x else times f (n - 1) (f x)

entry repeated (x: i32) (n: i32) = times (* 2) n x
