-- A name must be defined.
-- ==
-- error: Unknown name "yy"

def main (x: i32) = x + yy
