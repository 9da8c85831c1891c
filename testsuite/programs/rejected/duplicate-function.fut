-- A name defined twice at the top.
-- ==
-- error: uplicate

def f (x: i32) = x
def f (x: i32) = x + 1
def main = f 1
