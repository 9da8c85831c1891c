-- A condition that is not a truth value.
-- ==
-- error: bool

def main (x: i32) : i32 = if x then 1 else 2
