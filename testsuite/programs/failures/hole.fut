-- A hole is an error when it is reached.
-- ==
-- input { 1 }
-- output { 1 }
-- input { 0 }
-- error: hole

def main (x: i32) : i32 = if x == 0 then ??? else x
