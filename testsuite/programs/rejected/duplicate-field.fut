-- A field given twice.
-- ==
-- error: a

def main (x: i32) = { a = x, a = x }
