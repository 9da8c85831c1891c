-- Branches of different types.
-- ==
-- error:

def main (b: bool) = if b then 1i32 else 2i64
