-- An array of values of different types.
-- ==
-- error: i32.*i64

def main : []i32 = [1, 2i64]
