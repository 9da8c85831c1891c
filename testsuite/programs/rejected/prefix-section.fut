-- The operator ! stands before an operand; it has no section.
-- ==
-- error: Unexpected token.*\)

def main (xs: []bool) = map (!) xs
