-- An inner array whose size varies: triangular numbers by sums.
-- ==
-- input { 5i64 }
-- output { [0i64, 0i64, 1i64, 3i64, 6i64] }

def main (n: i64) : [n]i64 = map (\i -> i64.sum (iota i)) (iota n)
