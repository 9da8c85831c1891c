-- The derivative of the absolute value, by a branch.
-- ==
-- input { 3f64 }
-- output { 1f64 1f64 }
-- input { -3f64 }
-- output { -1f64 -1f64 }

def magnitude (x: f64) : f64 = if x < 0 then -x else x
def main (x: f64) : (f64, f64) = (jvp magnitude x 1, vjp magnitude x 1)
