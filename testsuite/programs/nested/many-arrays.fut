-- More points with an array of their own than threads that fill a small device: points that run one after the other have the same memory.
-- ==
-- input { 20000i64 20i64 }
-- output { 0i64 0i64 80200i64 425950000i64 }
-- input { 3i64 100i64 }
-- output { 0i64 20100i64 14850i64 34950i64 }

-- The sums of a range are made once or twice, which differs from point to point, and read at two places.
def sums (m: i64) (i: i64) : i64 =
  loop total = 0
  for k < 1 + i % 2 do
    let xs = scan (+) 0 (map (+ k) (iota m))
    in total + xs[m - 1] * xs[i % m]

def main (n: i64) (m: i64) : (i64, i64, i64, i64) =
  let rs = map (sums m) (iota n)
  in (rs[0], rs[n / 2], rs[n - 1], i64.sum rs)
