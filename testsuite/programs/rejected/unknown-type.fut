-- A type that is not bound.
-- ==
-- error: nknown

def main (x: nothing) = 1i32
