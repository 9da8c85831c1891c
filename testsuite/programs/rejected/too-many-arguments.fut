-- A function takes as many arguments as it has parameters.
-- ==
-- error: Cannot apply "f"

def f (x: i32) = x

def main (x: i32) = f x x
