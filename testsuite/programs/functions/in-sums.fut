-- Functions in the payloads of sum types: which constructor made a value is known where it is used.

type^ step = #apply (i32 -> i32) | #add i32 | #two (i32 -> i32) (i32 -> i32)

def run (s: step) (x: i32) : i32 =
  match s
  case #apply f -> f x
  case #add n -> x + n
  case #two f g -> g (f x)

-- ==
-- entry: main
-- input { 5 10 }
-- output { 15 50 12 }
entry main (x: i32) (n: i32) =
  ( run (#add n) x
  , run (#apply (* n)) x
  , run (#two (+ 1) (* 2)) x
  )

-- A pattern may look at a function's neighbours.
type^ guarded = #guarded (i32 -> i32) i32 | #plain

def use (g: guarded) (x: i32) : i32 =
  match g
  case #guarded _ 0 -> -1
  case #guarded f n -> f n + x
  case #plain -> x

-- ==
-- entry: guards
-- input { 7 0 }
-- output { -1 }
-- input { 7 2 }
-- output { 13 }
entry guards (x: i32) (n: i32) = use (#guarded (* 3) n) x

-- ==
-- entry: plain
-- input { 7 }
-- output { 7 }
entry plain (x: i32) = use #plain x

-- A sum with functions may be a field, and a match may bind a function.
-- ==
-- entry: in_a_record
-- input { 4 }
-- output { 9 5 }
entry in_a_record (x: i32) =
  let r = {first = (#apply (+ 5)) : step, second = \y -> y + 1}
  let s = r with first = #add 5
  in ( run s.first x
     , match s.second case f -> f x
     )

-- A field that is a function may be replaced by one that captures more.
-- ==
-- entry: replaced
-- input { 3 4 }
-- output { 8 5 }
entry replaced (x: i32) (y: i32) =
  let r = {f = \z -> z + 1, g = \z -> z + 2}
  let s = r with f = (\z -> r.f z + y)
  in (s.f x, s.g x)

-- Functions that are made alike, but capture arrays of different or of equal sizes.
-- ==
-- entry: captured
-- input { [1, 2, 3] [10, 20] }
-- output { 6 3i64 33 5i64 36 }
entry captured (xs: []i32) (ys: []i32) =
  let pick (as: []i32) (bs: []i32) = {total = \(k: i32) -> (i32.sum as + i32.sum bs) / k, count = length as + length bs}
  let a = pick xs (xs[:0])
  let b = pick xs ys
  let c = pick ys (map (\x -> x / 10) ys)
  in (a.total 1, a.count, b.total 1 - 3, b.count, c.total 1 + 3)
