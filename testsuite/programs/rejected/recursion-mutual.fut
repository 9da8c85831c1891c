-- A function is in scope after its definition and in itself, but not before.
-- ==
-- error: Unknown name "odd"

def even (n: i32) : bool = n == 0 || odd (n - 1)
def odd (n: i32) : bool = n != 0 && even (n - 1)
def main (n: i32) = even n
