-- An expression that ends too early.
-- ==
-- error: xpect

def main (x: i32) = x +
