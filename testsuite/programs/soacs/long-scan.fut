-- A scan by a product of matrices: Fibonacci numbers modulo 1000; the period of their last three digits is 1500.
-- ==
-- input { 3001i64 }
-- output { true }

def mul (a: i32, b: i32, c: i32, d: i32) (e: i32, f: i32, g: i32, h: i32) =
  ((a * e + b * g) % 1000, (a * f + b * h) % 1000, (c * e + d * g) % 1000, (c * f + d * h) % 1000)
def main (n: i64) : bool =
  let fs = map (.1) (scan mul (1, 0, 0, 1) (replicate n (1, 1, 1, 0)))
  in and (map (\i -> fs[i] == fs[i + 1500]) (iota (n - 1500))) && fs[1499] == 0 && fs[11] == 144
