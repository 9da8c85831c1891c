-- A recursive function passes the functions that it is given on as they are.
-- ==
-- error: passed unchanged

def f (g: i32 -> i32) (n: i32) : i32 = if n == 0 then g 0 else f (\x -> g (x + 1)) (n - 1)
def main (n: i32) = f (\x -> x * 2) n
