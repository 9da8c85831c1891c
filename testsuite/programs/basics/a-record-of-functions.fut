-- A record of functions.
-- ==
-- input { 5 }
-- output { 30i32 }

def ops (n: i32) = {add = (+ n), mul = (* n)}
def main (n: i32) : i32 = let o = ops n in o.mul (o.add 1)
