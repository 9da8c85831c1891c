-- A loop consumes only what each iteration makes itself.
-- ==
-- error: consum

def main (xs: *[]i32) (ys: *[]i32) =
  loop acc = 0i32 for i < 3i32 do
    let zs = xs with [0] = i
    in acc + zs[0] + ys[0]
