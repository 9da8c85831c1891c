-- A result of another type than declared.
-- ==
-- error: Expected: bool.*Actual: +i32

def main (x: i32) : bool = x
