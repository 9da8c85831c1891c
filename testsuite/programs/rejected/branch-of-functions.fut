-- A branch does not return a function.
-- ==
-- error: function

def main (b: bool) (x: i32) = (if b then (\y -> y + x) else (\y -> y - x)) 1
