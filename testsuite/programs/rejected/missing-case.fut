-- A match covers all values.
-- ==
-- error: nmatched cases.*#b

def main (x: #a | #b) : i32 = match x case #a -> 1
