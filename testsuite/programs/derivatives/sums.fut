-- Derivatives of functions on sums, truth values and what has no value. A derivative by a sum is made by the constructor of the value.

type shape = #square f32 | #box f32 f32 | #none

def area (s: shape) : f32 =
  match s
  case #square a -> a * a
  case #box a b -> a * b
  case #none -> 0

def sides (s: shape) : (i32, f32, f32) =
  match s
  case #square a -> (0, a, 0)
  case #box a b -> (1, a, b)
  case #none -> (2, 0, 0)

-- ==
-- entry: areas
-- input { 3f32 5f32 } output { 0 6f32 0f32 1 5f32 3f32 2 }
entry areas (a: f32) (b: f32) =
  let (i, x, y) = sides (vjp area (#square a) 1)
  let (j, z, w) = sides (vjp area (#box a b) 1)
  let (k, _, _) = sides (vjp area #none 1)
  in (i, x, y, j, z, w, k)

-- The result is a sum: 2 x in the direction 1, of the constructor that was taken.
-- ==
-- entry: made
-- input { 3f32 } output { 1 6f32 1f32 }
entry made (x: f32) =
  let f x : shape = if x > 1 then #box (x * x) x else #none
  in sides (jvp f x 1)

-- Derivatives of truth values: sums are "or", products "and", and negation has the derivative x. Choices and conversions pass them on,
-- comparisons do not.
-- ==
-- entry: truth
-- input { true false } output { true false false true 1 false }
entry truth (a: bool) (b: bool) =
  ( jvp (\a -> !a) a true
  , vjp (\b -> !b) b true
  , (vjp (\(a, b) -> a && b) (a, b) true).0
  , (vjp (\(a, b) -> a && b) (a, b) true).1
  , jvp i32.bool a true
  , jvp (\a -> a == b) a true
  )

-- ==
-- entry: nothing
-- input { 2f32 } output { 4f32 }
entry nothing (x: f32) = (vjp (\(x, ()) -> (x * x, ())) (x, ()) (1, ())).0
