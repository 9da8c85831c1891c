-- A module has what its signature asks for.
-- ==
-- error: b

module m : { val b : i32 } = { def a = 1i32 }

def main = m.b
