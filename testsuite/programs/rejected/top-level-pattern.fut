-- Declarations bind one name each.
-- ==
-- error: pattern

def (one, two) = (1i32, 2i32)
def main (x: i32) = x + one + two
