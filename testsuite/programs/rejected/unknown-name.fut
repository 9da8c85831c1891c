-- A name that is not bound.
-- ==
-- error: nknown

def main (x: i32) = x + y
