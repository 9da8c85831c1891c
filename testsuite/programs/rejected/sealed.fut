-- What a signature hides is not seen.
-- ==
-- error: Unknown

module m : { val a : i32 } = { def a = 1i32 def b = 2i32 }

def main = m.b
