-- Numbers are not converted by themselves.
-- ==
-- error: i32

def main (x: i32) (y: i64) = x + y
