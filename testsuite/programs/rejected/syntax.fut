-- A definition has a body.
-- ==
-- error: Unexpected end of file

def main (x: i32) =
