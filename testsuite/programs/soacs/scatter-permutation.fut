-- A permutation scattered and gathered is the identity; 7 and 4096 have no common factor.
-- ==
-- input { 4096i64 }
-- output { true }
-- input { 1i64 }
-- output { true }

def main (n: i64) : bool =
  let is = map (\i -> i * 7 % n) (iota n)
  let p = scatter (replicate n (-1)) is (iota n)
  in and (map2 (\i j -> p[i] == j) is (iota n))
