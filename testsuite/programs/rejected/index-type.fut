-- An index that is not an integer.
-- ==
-- error:

def main (a: []i32) : i32 = a[1.5f32]
