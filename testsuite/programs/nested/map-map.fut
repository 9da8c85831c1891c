-- Maps in maps: multiplication tables; their sum is the square of a triangular number.
-- ==
-- input { 3i64 }
-- output { 36i64 }
-- input { 60i64 }
-- output { 3348900i64 }
-- input { 0i64 }
-- output { 0i64 }

def main (n: i64) : i64 =
  map (\i -> map (\j -> (i + 1) * (j + 1)) (iota n)) (iota n) |> flatten |> i64.sum
