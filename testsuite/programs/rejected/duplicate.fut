-- A pattern binds each name once.
-- ==
-- error: x

def main (x: i32) (x: i32) = x
