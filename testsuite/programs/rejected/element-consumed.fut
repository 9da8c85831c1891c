-- The first array of the pair has been consumed; the second has not.
-- ==
-- error: "xs".*consumed

def main (n: i64) : ([]i32, []i32, i32) =
  let (xs, ys) = (replicate n 1, replicate n 2)
  let zs = xs with [0] = 7
  in (zs, ys, xs[0])
