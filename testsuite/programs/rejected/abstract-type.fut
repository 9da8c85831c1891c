-- An abstract type is not what it stands for.
-- ==
-- error: m.t

module m : { type t val a : t } = { type t = i32 def a = 1i32 }

def main : i32 = m.a + 1
