-- The sum of the first numbers, of many sizes: n (n + 1) / 2.
-- ==
-- input { 0i64 }
-- error: invalid
-- input { 1i64 }
-- output { 1i64 }
-- input { 100i64 }
-- output { 5050i64 }
-- input { 1000i64 }
-- output { 500500i64 }
-- input { 5000i64 }
-- output { 12502500i64 }
-- input { 65537i64 }
-- output { 2147581953i64 }

def main (n: i64) : i64 = i64.sum (1...n)
