-- A function holds on to the arrays in it.
-- ==
-- error: "xs".*consumed

def main (xs: *[]i32) =
  let at (i: i64) = xs[i]
  let ys = xs with [0] = 1
  in at 0 + ys[0]
