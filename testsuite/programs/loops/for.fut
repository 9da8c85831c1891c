-- A for loop counts from zero: factorials.
-- ==
-- input { 0 }
-- output { 1 }
-- input { 1 }
-- output { 1 }
-- input { 5 }
-- output { 120 }
-- input { 12 }
-- output { 479001600 }

def main (n: i32) : i32 = loop p = 1 for i < n do p * (i + 1)
