-- A recursive function does not return functions.
-- ==
-- error: not first-order

def f (n: i32) : i32 -> i32 = f (n - 1)
def main (n: i32) = f n 3
