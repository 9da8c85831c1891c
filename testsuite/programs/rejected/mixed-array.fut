-- An array of values of different types.
-- ==
-- error:

def main : []i32 = [1, 2i64]
