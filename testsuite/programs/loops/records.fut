-- A loop with a record of two numbers: Euclid's algorithm.
-- ==
-- input { 48 36 }
-- output { 12 }
-- input { 17 5 }
-- output { 1 }
-- input { 0 4 }
-- output { 4 }

def main (a: i32) (b: i32) : i32 =
  (loop { a, b } = { a, b } while b != 0 do { a = b, b = a % b }).a
