-- What shares memory with a consumed array is consumed too.
-- ==
-- error: consumed

def main (xs: *[]i32) =
  let ys = xs
  let zs = xs with [0] = 1
  in ys[0] + zs[0]
