-- Arrays of units have sizes.

-- ==
-- entry: main
-- input { 4i64 }
-- output { 4i64 4i64 }
entry main (n: i64) =
  let us = replicate n ()
  in (length us, i64.sum (map (\() -> 1) us))

-- A size may be shown by an array of units alone.
type marker [n] = [n]()

def mark (n: i64) : marker [n] = replicate n ()
def size [n] (_: marker [n]) : i64 = n

-- ==
-- entry: marks
-- input { 3i64 5i64 }
-- output { 8i64 }
entry marks (n: i64) (m: i64) =
  let (a, b) = if n < m then (mark n, mark m) else (mark m, mark n)
  in size a + size b

-- ==
-- entry: nested
-- input { 2i64 3i64 }
-- output { 3i64 2i64 6i64 }
entry nested (n: i64) (m: i64) =
  let t = transpose (replicate n (replicate m ()))
  in (length t, length t[0], length (flatten t))

-- Units among other things.
-- ==
-- entry: pairs
-- input { [1, 2, 3] }
-- output { 6 3i64 }
entry pairs (xs: []i32) =
  let (us, ys) = unzip (map (\x -> ((), x)) xs)
  in (i32.sum ys, length us)

-- ==
-- entry: coerced
-- input { 2i64 2i64 }
-- output { 2i64 }
-- input { 2i64 3i64 }
-- error: cannot match
entry coerced (n: i64) (m: i64) = size (mark n :> marker [m])
