-- A literal that nothing constrains is an i32, or an f64 with a point.
-- ==
-- input {}
-- output { 7i32 0.5f64 }

def main = (7, 0.5)
