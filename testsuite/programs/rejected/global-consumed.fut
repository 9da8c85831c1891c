-- A constant is for all functions, and so for none to consume.
-- ==
-- error: not consumable

def table = [1i32, 2, 3]
def main (i: i64) = table with [i] = 0
