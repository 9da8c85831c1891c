-- A bracket that is not closed.
-- ==
-- error: xpect

def main (x: i32) = (x + 1
