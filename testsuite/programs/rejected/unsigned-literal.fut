-- A literal too large for an unsigned type.
-- ==
-- error: out of bounds

def main : u8 = 256
