-- Functions whose calls of themselves are the last thing that they do: loops.

-- ==
-- entry: gcds
-- input { [12i64, 35i64, 81i64] [18i64, 21i64, 54i64] } output { [6i64, 7i64, 27i64] }
def gcd (a: i64) (b: i64) : i64 = if b == 0 then a else gcd b (a % b)
entry gcds (xs: []i64) (ys: []i64) = map2 gcd xs ys

-- Two ends, one in an inner branch, and an argument that stays the same.
-- ==
-- entry: collatz
-- input { [1i64, 27i64, 97i64] 100i32 } output { [0i32, 100i32, 100i32] }
-- input { [1i64, 27i64, 97i64] 200i32 } output { [0i32, 111i32, 118i32] }
def steps (limit: i32) (n: i64) (done: i32) : i32 =
  if n == 1 || done == limit then done
  else if n % 2 == 0 then steps limit (n / 2) (done + 1)
  else steps limit (3 * n + 1) (done + 1)
entry collatz (ns: []i64) (limit: i32) = map (\n -> steps limit n 0) ns

-- Deeper than calls may be nested.
-- ==
-- entry: deep
-- compiled input { 300000i64 } output { 45000150000i64 }
def sum (n: i64) (acc: i64) : i64 = if n == 0 then acc else sum (n - 1) (acc + n)
entry deep (n: i64) = sum n 0

-- Arrays: one that is consumed, and one that grows.
-- ==
-- entry: arrays
-- input { 3i64 } output { [5i64, 1i64, 2i64] [7i64, 7i64, 7i64, 7i64, 7i64, 7i64, 7i64, 7i64] }
def count [m] (n: i64) (xs: *[m]i64) : *[m]i64 =
  if n == 0 then xs with [0] = xs[1] + 2 + xs[m - 1]
  else count (n - 1) (xs with [n % m] = n)
def grow [m] (n: i64) (xs: [m]i64) : []i64 = if n == 0 then xs else grow (n - 1) (xs ++ xs)
entry arrays (n: i64) = (count n (replicate n 0 with [2] = 3 with [1] = 2), grow n [7])

-- Over constructors, with a record.
-- ==
-- entry: machine
-- input { 5i64 } output { 120i64 }
type state = #run {n: i64, acc: i64} | #halt i64
def drive (s: state) : i64 =
  match s
  case #halt x -> x
  case #run {n, acc} -> drive (if n == 0 then #halt acc else #run {n = n - 1, acc = acc * n})
entry machine (n: i64) = drive (#run {n, acc = 1})
