-- A literal too large for its type.
-- ==
-- error: out of bounds

def main : i8 = 300
