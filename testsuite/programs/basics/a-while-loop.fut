-- A while loop.
-- ==
-- input { 6 }
-- output { 1i32 8i32 }

def main (n: i32) : (i32, i32) = loop (x, i) = (n, 0) while x > 1 do (if x % 2 == 0 then x / 2 else 3 * x + 1, i + 1)
