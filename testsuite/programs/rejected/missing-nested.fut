-- A match that does not cover a combination.
-- ==
-- error: nmatched cases

def main (a: bool) (b: bool) : i32 = match (a, b) case (true, _) -> 1 case (_, true) -> 2
