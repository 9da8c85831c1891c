-- Operators that a program defines, with the priority of their first character.
-- ==
-- input { 2 3 }
-- output { 26 20 }

def (+^) (a: i32) (b: i32) = a * a + b
def (*^) (a: i32) (b: i32) = 2 * a * b
def add (a: i32) (b: i32) = a + b
def main (a: i32) (b: i32) : (i32, i32) = (a * 2 +^ a *^ b - a, (a +^ b) + a `add` b + 8)
