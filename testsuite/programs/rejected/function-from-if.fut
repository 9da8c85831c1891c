-- A function chosen by a condition.
-- ==
-- error: may not be of function type

def main (b: bool) (x: i32) : i32 = (if b then \y -> y + 1 else \y -> y) x
