-- A record has the fields that it was made with.
-- ==
-- error: c

def main (x: i32) = {a = x, b = x}.c
