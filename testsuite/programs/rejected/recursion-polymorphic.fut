-- Within its own body a recursive function has one type.
-- ==
-- error: do not match

def depth 't (x: t) (n: i32) : i32 = if n == 0 then 0 else 1 + depth (x, x) (n - 1)
def main (n: i32) = depth true n
