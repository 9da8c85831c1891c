-- The second derivative of x^4 is 12 x^2.
-- ==
-- input { 2f64 }
-- output { 48f64 }

def main (x: f64) : f64 = jvp (\y -> jvp (\z -> z * z * z * z) y 1) x 1
