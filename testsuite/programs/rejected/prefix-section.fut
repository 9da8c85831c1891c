-- The operator ! precedes its operand; it has no section.
-- ==
-- error: Unexpected token.*\)

def main (xs: []bool) = map (!) xs
