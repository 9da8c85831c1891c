-- Loops in loops: the number of pairs i < j below n is n (n - 1) / 2.
-- ==
-- input { 0 }
-- output { 0 }
-- input { 5 }
-- output { 10 }
-- input { 100 }
-- output { 4950 }

def main (n: i32) : i32 =
  loop c = 0 for j < n do loop c for _i < j do c + 1
