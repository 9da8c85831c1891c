-- A size parameter is found from the arguments.
-- ==
-- error: n

def f [n] (x: i32) = x + i32.i64 n

def main (x: i32) = f x
