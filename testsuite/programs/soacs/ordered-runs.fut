-- Reductions whose operator is associative and not commutative, of sizes around those at which a processor folds runs side by side: the largest
-- sum of neighbouring elements, compared with a loop.
-- ==
-- input { [0i64, 1i64, 31i64, 32i64, 33i64, 511i64, 512i64, 513i64, 1000i64, 24671i64, 24672i64, 24673i64, 24704i64, 49344i64, 49345i64] }
-- output { true }
-- input { [60000i64, 100003i64] }
-- output { true }

def largest [n] (xs: [n]i32) : i32 =
  let op (bx, lx, rx, tx) (by, ly, ry, ty) =
    ( i32.max bx (i32.max by (rx + ly))
    , i32.max lx (tx + ly)
    , i32.max ry (rx + ty)
    , tx + ty : i32
    )
  in (reduce op (0, 0, 0, 0) (map (\x -> let p = i32.max x 0 in (p, p, p, x)) xs)).0

def by_loop [n] (xs: [n]i32) : i32 =
  (loop (best, here) = (0, 0)
   for x in xs do
     let here = i32.max (here + x) 0
     in (i32.max best here, here)).0

def right (n: i64) : bool =
  let xs = map (\i -> i32.i64 ((i * i * 7919 + n) % 201) - 100) (iota n)
  in largest xs == by_loop xs

def main [k] (sizes: [k]i64) : bool =
  loop ok = true for n in sizes do ok && right n
