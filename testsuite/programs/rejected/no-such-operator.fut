-- Arithmetic of truth values.
-- ==
-- error: \*

def main (a: bool) (b: bool) : bool = a * b
