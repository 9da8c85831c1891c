-- A check that cannot be proven is warned of where that is asked for.
-- ==
-- input { [1, 2] [1i64] }
-- output { [2] }
-- warning: Safety check required at .*:8:

def main (xs: []i32) (is: []i64) =
  map (\i -> #[warn(safety_checks)] xs[i]) is
