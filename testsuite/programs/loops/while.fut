-- A while loop: steps of the Collatz sequence until 1.
-- ==
-- input { 1i64 }
-- output { 0 }
-- input { 6i64 }
-- output { 8 }
-- input { 27i64 }
-- output { 111 }

def main (n: i64) : i32 =
  (loop (x, s) = (n, 0) while x != 1 do (if x % 2 == 0 then x / 2 else 3 * x + 1, s + 1)).1
