-- Pairs of pairs of pairs, and so on, are soon of more parts than can be stored.
-- ==
-- error: more than 65536 parts

def p1 x = (x, x, x, x)
def p2 x = p1 (p1 x)
def p3 x = p2 (p2 x)
def p4 x = p3 (p3 x)
def p5 x = p4 (p4 x)
def main (x: i32) = x
