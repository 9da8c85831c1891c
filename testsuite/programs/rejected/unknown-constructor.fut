-- A constructor that the type lacks.
-- ==
-- error: #c

def main (b: bool) : (#a | #b) = if b then #a else #c
