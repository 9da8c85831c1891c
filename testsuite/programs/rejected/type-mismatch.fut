-- A truth value where a number is needed.
-- ==
-- error: Expected: i32.*Actual: +bool

def main (x: i32) : i32 = x + true
