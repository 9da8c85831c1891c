-- A type that may be a function is no result of a branch, even where it turns out to be a number.
-- ==
-- error: function type

def choose '^a (b: bool) (x: a) (y: a) : a = if b then x else y
def main (b: bool) = choose b 1i32 2
