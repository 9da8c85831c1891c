-- Tuples and arrays compare by element.
-- ==
-- input { 1 [1, 2] }
-- output { true false }
-- input { 2 [1, 3] }
-- output { false false }

def main (x: i32) (ys: [2]i32) : (bool, bool) =
  ((x, ys) == (1, [1, 2]), (x, ys) != (x, copy ys))
