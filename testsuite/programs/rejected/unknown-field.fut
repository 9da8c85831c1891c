-- A field that the record lacks.
-- ==
-- error: field

def main (x: i32) = { a = x }.b
