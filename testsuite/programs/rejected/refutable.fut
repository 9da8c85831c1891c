-- A let binds with patterns that always fit.
-- ==
-- error: #b

def main (x: #a i32 | #b) = let #a y = x in y
