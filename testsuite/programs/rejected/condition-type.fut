-- A condition is a truth value.
-- ==
-- error: bool

def main (x: i32) = if x then 1i32 else 2
