-- Closures.
-- ==
-- input { 3 }
-- output { 12i32 }

def twice 'a (f: a -> a) (x: a) : a = f (f x)
def add (n: i32) : i32 -> i32 = \x -> x + n
def main (n: i32) : i32 = twice (twice (add n)) 0
