-- A loop whose value changes its type.
-- ==
-- error: oop

def main (n: i32) : i32 = loop x = 0i32 for _i < n do true
