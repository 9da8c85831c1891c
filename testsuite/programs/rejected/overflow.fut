-- A literal fits its type.
-- ==
-- error: 256

def main : u8 = 256
