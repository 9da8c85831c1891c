-- Loops whose bound is computed inside the points of a map, the same for all: the division, which may fail, stays there.
-- ==
-- input { 7i64 [4f64, -2f64, 9f64] } output { [-2f64, -1f64, 0f64] }
-- input { 1i64 [4f64, -2f64, 9f64] } output { [4f64, 5f64, 6f64] }
-- input { 4i64 [4f64, -2f64, 9f64] } output { [16f64, 17f64, 18f64] }
-- input { 5i64 empty([0]f64) } output { empty([0]f64) }
def main [n] (k: i64) (xs: [n]f64) =
  map (\i -> reduce f64.min 16 xs[0:k % (n + 1)] + f64.i64 i) (iota n)
