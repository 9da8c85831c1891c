-- Sections of operators, fields and indices.
-- ==
-- input { [[1, 2], [3, 4]] }
-- output { [2, 4] [9, 7] [2, 4] }

def main (a: [2][2]i32) : ([2]i32, [2]i32, [2]i32) =
  let second = map (.[1]) a
  in (second, map (10 -) (map (.[0]) a), map (* 2) (map (/ 2) second))
