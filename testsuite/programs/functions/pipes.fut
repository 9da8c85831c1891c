-- Pipes and composition in both directions.
-- ==
-- input { 3 }
-- output { 8 8 8 5 }

def double (x: i32) = x * 2
def inc (x: i32) = x + 1
def main (x: i32) : (i32, i32, i32, i32) =
  (x |> inc |> double, double <| inc <| x, (inc >-> double) x, (id <-< double) x - 1)
