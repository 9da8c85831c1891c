-- A truth value where a number is needed.
-- ==
-- error:

def main (x: i32) : i32 = x + true
