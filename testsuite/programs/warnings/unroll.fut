-- A loop whose rounds nobody can count beforehand is not unrolled.
-- ==
-- input { 4i64 }
-- output { 6i64 }
-- warning: unknown number of iterations

-- 0 + 1 + 2 + 3.
def main (n: i64) = #[unroll] loop sum = 0 for i < n do sum + i
