-- A name must be defined.
-- ==
-- error: Unknown

def main (x: i32) = x + yy
