-- A parameter without a star belongs to the caller.
-- ==
-- error: xs

def main (xs: []i32) = xs with [0] = 1
