-- A for loop.
-- ==
-- input { 4 }
-- output { 27i32 }

def main (n: i32) : i32 = loop x = 1 for i < n do x * 2 + i
