-- A record has each field once.
-- ==
-- error: field.*"?a

def main (x: i32) = {a = x, a = x}
