-- An array of functions.
-- ==
-- error: lifted

def main (x: i32) : i32 = ([\y -> y + x, \y -> y])[0] x
