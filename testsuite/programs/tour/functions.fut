-- Functions are values: partial application, closures, sections, composition, pipes.
-- ==
-- entry: partial
-- input { 10 } output { 12 7 -7 30 }

-- ==
-- entry: composed
-- input { 3 } output { 8 7 8 }

-- ==
-- entry: pipes
-- input { [1, 2, 3, 4] } output { 20 2i64 }

-- Operators of one's own have the precedence of their first characters; backticks make an operator of a
-- function, which binds loosest.
-- ==
-- entry: operators
-- input { 2 3 } output { 11 -7 1 }

-- ==
-- entry: polymorphic
-- input { 1 true } output { true 1 [1, 1] }

-- ==
-- entry: recursive
-- input { 10 } output { 55i64 4i64 }

entry partial (x: i32) =
  let add a b = a + b
  let inc = add 2
  in (inc x, (\y -> y - 3) x, (3 -) x, (* 3) x)

entry composed (x: i32) =
  let inc = (+ 1)
  let double = (* 2)
  in ((inc >-> double) x, (inc <-< double) x, x |> inc |> double)

entry pipes (xs: []i32) =
  (xs |> map (* 2) |> i32.sum, filter (> 2) xs |> length)

def (+++) (x: i32) (y: i32) = x + 3 * y
def minus (x: i32) (y: i32) = x - y

entry operators (x: i32) (y: i32) = (x +++ y, x `minus` y + 2 * y, y `minus` x)

def swap 'a 'b (x: a, y: b) = (y, x)
def twice 'a (x: a) = [x, x]

entry polymorphic (x: i32) (y: bool) =
  let (a, b) = swap (x, y)
  in (a, b, twice b)

def sum_to (n: i64) : i64 = if n == 0 then 0 else n + sum_to (n - 1)
def log2 (n: i64) : i64 = if n <= 1 then 0 else 1 + log2 (n / 2)

entry recursive (n: i32) = (sum_to (i64.i32 n), log2 (2 * i64.i32 n))
