-- A definition has a body.
-- ==
-- error: .

def main (x: i32) =
