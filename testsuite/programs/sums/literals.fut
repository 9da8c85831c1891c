-- Matching numbers, tuples and booleans.
-- ==
-- input { 0 true }
-- output { 1 }
-- input { 0 false }
-- output { 2 }
-- input { -1 false }
-- output { 3 }
-- input { 5 true }
-- output { 4 }

def main (x: i32) (b: bool) : i32 =
  match (x, b)
  case (0, true) -> 1
  case (0, false) -> 2
  case (-1, _) -> 3
  case _ -> 4
