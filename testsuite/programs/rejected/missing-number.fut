-- A match that does not cover all numbers.
-- ==
-- error: nmatched cases

def main (x: i32) : i32 = match x case 0 -> 1 case 1 -> 2
