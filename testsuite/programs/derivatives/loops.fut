-- The derivative of x to the power n, computed by a loop, is n x^(n-1).
-- ==
-- input { 2f64 3 }
-- output { 12f64 12f64 }
-- input { 2f64 0 }
-- output { 0f64 0f64 }
-- input { 1f64 10 }
-- output { 10f64 10f64 }

def power (n: i32) (x: f64) : f64 = loop p = 1 for _i < n do p * x
def main (x: f64) (n: i32) : (f64, f64) = (jvp (power n) x 1, vjp (power n) x 1)
