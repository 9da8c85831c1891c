-- A result of another type than declared.
-- ==
-- error:

def main (x: i32) : bool = x
