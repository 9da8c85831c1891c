-- Lifted type parameters stand for values of different sizes.

-- Two values of one lifted type need not agree in size.
def both 'a '^b (f: a -> b) (x: a) (y: a) : (b, b) = (f x, f y)

-- ==
-- entry: sizes_differ
-- input { 3i64 1i64 }
-- output { [0i64, 1i64, 2i64] [0i64] 4i64 }
entry sizes_differ (n: i64) (m: i64) =
  let (xs, ys) = both iota n m
  in (xs, ys, length xs + length ys)

type^ maybe '~a = #none | #some a

def through 'a '~b (f: a -> b) (m: maybe a) : maybe b =
  match m
  case #none -> #none
  case #some x -> #some (f x)

-- ==
-- entry: in_a_sum
-- input { [4, -2, 7, -1, -9] }
-- output { 3i64 [-2, -1, -9] }
entry in_a_sum (xs: []i32) =
  match through (filter (< 0)) (#some xs)
  case #none -> (0, [])
  case #some ys -> (length ys, ys)

-- The value of a loop has a size of its own in each iteration.
def repeat '~a (k: i32) (f: (() -> a) -> a) (x: () -> a) : a =
  loop y = x () for _i < k do f (\() -> y)

-- ==
-- entry: in_a_loop
-- input { 3 [1, 2] }
-- output { 16i64 12 }
entry in_a_loop (k: i32) (xs: []i32) =
  let ys = repeat k (\(y: () -> []i32) -> y () ++ y ()) (\() -> xs)
  in (length ys, i32.sum ys / 2)

-- Values of an abstract type may differ in size.
module type box = {
  type~ t
  val pack [n] : [n]i32 -> t
  val grow : t -> t
  val sum : t -> i32
}

module boxed : box = {
  type~ t = []i32
  def pack xs = xs
  def grow xs = xs ++ [10]
  def sum xs = i32.sum xs
}

-- ==
-- entry: abstract
-- input { [1, 2, 3] }
-- output { 36 }
entry abstract (xs: []i32) =
  let grown = \b -> boxed.grow (boxed.grow b)
  in boxed.sum (boxed.grow (grown (boxed.pack xs)))

-- The size of a constant is known only after it has been computed.
def small = filter (< 30) [10, 50, 20, 40]

-- ==
-- entry: constant
-- input { }
-- output { [10, 20, 1] 2i64 }
entry constant = (small ++ [1], length small)

-- A size that is computed with the help of a function.
def even (x: i32) : i64 = i64.bool (x % 2 == 0)

def evens (xs: []i32) : [i64.sum (map even xs)]i32 =
  filter (\x -> x % 2 == 0) xs :> [i64.sum (map even xs)]i32

-- ==
-- entry: computed
-- input { [1, 2, 4, 5, 8] }
-- output { [3, 5, 9] 3i64 }
entry computed (xs: []i32) =
  let ys = evens xs
  in (map2 (+) ys (replicate (i64.sum (map even xs)) 1), length ys)
