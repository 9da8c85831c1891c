-- A field of a value of unknown type.
-- ==
-- error: ambiguous

def f x = x.a
def main : i32 = f { a = 1i32 }
