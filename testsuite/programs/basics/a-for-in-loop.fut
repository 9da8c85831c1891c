-- A for-in loop.
-- ==
-- input { [4, 2, 7] }
-- output { 427i32 }

def main (xs: []i32) : i32 = loop a = 0 for x in xs do a * 10 + x
