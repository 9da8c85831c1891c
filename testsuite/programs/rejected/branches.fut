-- Branches of different types.
-- ==
-- error: Branches do not have the same type.*i32.*i64

def main (b: bool) = if b then 1i32 else 2i64
