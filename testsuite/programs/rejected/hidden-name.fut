-- A name that the signature hides.
-- ==
-- error: nknown

module m : { val x: i32 } = { def x = 1i32 def y = 2i32 }
def main = m.y
