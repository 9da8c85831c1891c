-- A size that is not bound.
-- ==
-- error: nknown

def main (x: [k]i32) = x
