-- A constant used as a size.
-- ==
-- input { 4 }
-- output { [4, 4, 4] }

def n : i64 = 3
def main (x: i32) : [n]i32 = replicate n x
