-- A loop that updates an array in place: Fibonacci numbers.
-- ==
-- input { 2i64 }
-- output { [1i64, 1i64] }
-- input { 10i64 }
-- output { [1i64, 1i64, 2i64, 3i64, 5i64, 8i64, 13i64, 21i64, 34i64, 55i64] }

def main (n: i64) : [n]i64 =
  loop a = replicate n 1 for i in 2..<n do a with [i] = a[i - 1] + a[i - 2]
