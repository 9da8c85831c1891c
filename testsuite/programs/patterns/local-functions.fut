-- Functions defined by let, that refer to what is around.
-- ==
-- input { 5 }
-- output { 35 }

def main (k: i32) : i32 =
  let times (x: i32) = x * k
  let twice f x = f (f x)
  in times 2 + twice (+ k) 15
