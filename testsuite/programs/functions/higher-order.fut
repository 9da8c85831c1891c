-- Functions that take and return functions.
-- ==
-- input { 4 }
-- output { 16 7 }

def iterate_two 'a (f: a -> a) : a -> a = \x -> f (f x)
def adder (k: i32) : i32 -> i32 = \x -> x + k
def main (x: i32) : (i32, i32) = (iterate_two (* 2) x, (adder 1 >-> adder 2) x)
