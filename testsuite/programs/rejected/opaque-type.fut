-- An opaque type used as what it is made of.
-- ==
-- error: m\.t

module m : { type t val x: t } = { type t = i32 def x = 1i32 }
def main : i32 = m.x + 1
