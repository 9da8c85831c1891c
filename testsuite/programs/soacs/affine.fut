-- Composition of affine maps is associative and not commutative: 1000 times x -> x + 1, then a doubling.
-- ==
-- input { 1000i64 }
-- output { 2 2000 }
-- input { 1i64 }
-- output { 2 2 }

def compose (a: i32, b: i32) (c: i32, d: i32) = (a * c, b * c + d)
def main (n: i64) : (i32, i32) =
  reduce compose (1, 0) (map (\i -> if i < n then (1, 1) else (2, 0)) (iota (n + 1)))
